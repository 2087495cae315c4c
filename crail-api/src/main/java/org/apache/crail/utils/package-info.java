/** Helpers that programs written for Crail 1.x use; new code has better ones in the JDK. */
package org.apache.crail.utils;
