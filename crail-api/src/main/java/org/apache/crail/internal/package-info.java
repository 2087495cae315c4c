/** Public for other modules of Crail only; not for applications. */
package org.apache.crail.internal;
