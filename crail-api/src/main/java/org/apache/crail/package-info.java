/**
 * What an application compiles against. {@link org.apache.crail.CrailStore#newInstance} opens a store; its operations
 * give nodes; files among them give direct streams (asynchronous, on {@link org.apache.crail.CrailBuffer}s) and
 * buffered ones (blocking, {@code java.io}). The names and signatures are those of Apache Crail 1.1 and 1.2.
 */
package org.apache.crail;
