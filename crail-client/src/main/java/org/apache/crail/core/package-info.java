/**
 * CrailStore's implementation. Applications use {@link org.apache.crail.CrailStore}; what is public here is for
 * programs written against Crail 1.x and for Crail's own tools.
 */
package org.apache.crail.core;
