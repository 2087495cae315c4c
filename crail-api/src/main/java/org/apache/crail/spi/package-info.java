/** How an implementation of the store is found; not for applications. */
package org.apache.crail.spi;
