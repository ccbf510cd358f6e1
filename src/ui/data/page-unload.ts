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

let startingAgain = false

/** Returns whether the page is about to be replaced by the start page, whatever is typed on it. */
export const isStartingAgain = () => startingAgain

/**
 * Loads the start page in place of this one, for a person whom this page is not for. The browser asks nothing: who typed here is gone, and
 * staying would show one person's page to another. Never settles: the page is about to unload.
 */
export function startPageAgain(): Promise<never> {
  startingAgain = true
  location.replace('/')
  return new Promise(() => {})
}
