import { create } from 'zustand'

/** A call that waits until its caller has confirmed that it is them. */
type Question = { answer: (confirmed: boolean) => void }
export const useReauthentication = create<{ question: Question | null }>(() => ({ question: null }))

let asking: Promise<boolean> | null = null

/** Asks in a dialog; calls that are refused at one moment share it. Returns whether to repeat them. */
export function askToReauthenticate(): Promise<boolean> {
  const before = document.activeElement
  asking ??= new Promise<boolean>((resolve) => {
    const answer = (confirmed: boolean) => {
      asking = null
      useReauthentication.setState({ question: null })
      resolve(confirmed)
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
      })
    }
    useReauthentication.setState({ question: { answer } })
  })
  return asking
}
