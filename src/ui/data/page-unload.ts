let pageUnloading = false

/**
 * Returns whether the page is unloading. A reload aborts the calls in progress, which must not count as failures: otherwise
 * a user who reloads while the session is being fetched would be logged out.
 */
export const isPageUnloading = () => pageUnloading

/** Call it once, at startup. */
export function watchPageUnload() {
  window.addEventListener('beforeunload', () => {
    pageUnloading = true
    // A mailto: or tel: link fires this event too, but the page stays.
    setTimeout(() => {
      pageUnloading = false
    }, 2000)
  })
  window.addEventListener('pagehide', () => {
    pageUnloading = true
  })
  window.addEventListener('pageshow', () => {
    pageUnloading = false
  })
}
