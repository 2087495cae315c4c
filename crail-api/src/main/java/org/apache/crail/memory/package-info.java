/** Buffers outside the heap and the caches that give them. */
package org.apache.crail.memory;
