let pageUnloading = false

/**
 * Whether this page is about to go. A reload breaks off the calls that are under way, and a broken-off call is no failed
 * one: without this, whoever reloads while their session is being asked for would be logged out.
 */
export const isPageUnloading = () => pageUnloading

/** Called once, at start. */
export function watchPageUnload() {
  window.addEventListener('beforeunload', () => {
    pageUnloading = true
    // A link to mail or phone announces a leave and stays.
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
