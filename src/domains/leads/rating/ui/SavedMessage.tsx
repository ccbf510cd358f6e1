import { ratingMessages } from '../contract.ts'
import classes from './screen.module.css'

/** The outcome of a save: the server's message, or why it failed. */
export type SaveOutcome = { saved: string } | { failed: string[] }

export function SaveOutcomeMessage({ outcome }: { outcome: SaveOutcome | null }) {
  return (
    <div role="status" className={classes.said}>
      {outcome && 'saved' in outcome && <p data-kind="ok">{outcome.saved}</p>}
      {outcome && 'failed' in outcome && (
        <div data-kind="bad">
          <b>{ratingMessages.cannotSave}</b>
          {outcome.failed.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </div>
      )}
    </div>
  )
}
