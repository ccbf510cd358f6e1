const storageKey = 'leadline.renewal'

/**
 * Opens a window for signing in at the OpenID provider beside the page; call it at the click, as browsers require. Returns what goes there.
 * The window knows by its own storage what it is for: our opener policy cuts its connection to this page.
 */
export function openRenewalWindow(): (address: string) => void {
  const opened = window.open('', '_blank', 'popup,width=520,height=720')
  return (address) => {
    if (!opened) throw new Error('Please allow this site to open a window, then try again')
    opened.sessionStorage.setItem(storageKey, 'yes')
    opened.location.assign(address)
  }
}

export const isRenewalWindow = () => sessionStorage.getItem(storageKey) !== null
