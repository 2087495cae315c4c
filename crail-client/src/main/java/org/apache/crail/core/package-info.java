/**
 * CrailStore's implementation: the store, its nodes and their streams. Applications use
 * {@link org.apache.crail.CrailStore}; what is public here is for programs written against Crail 1.x and for Crail's
 * own tools. Blocks and calls have packages of their own, each of which uses only those named after it.
 */
package org.apache.crail.core;
