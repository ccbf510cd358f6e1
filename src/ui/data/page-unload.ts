let leaving = false

/**
 * Whether this page is about to go. A reload breaks off the calls that are under way, and a broken-off call is no failed
 * one: without this, whoever reloads while their session is being asked for would be logged out.
 */
export const isLeaving = () => leaving

/** Called once, at start. */
export function watchLeaving() {
  window.addEventListener('beforeunload', () => {
    leaving = true
    // A link to mail or phone announces a leave and stays.
    setTimeout(() => {
      leaving = false
    }, 2000)
  })
  window.addEventListener('pagehide', () => {
    leaving = true
  })
  window.addEventListener('pageshow', () => {
    leaving = false
  })
}
