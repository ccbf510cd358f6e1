import { rateWords } from '../contract.ts'
import classes from './screen.module.css'

/** What became of a save: the server's sentence, or why it failed. */
export type Outcome = { saved: string } | { failed: string[] }

export function Said({ outcome }: { outcome: Outcome | null }) {
  return (
    <div role="status" className={classes.said}>
      {outcome && 'saved' in outcome && <p data-kind="ok">{outcome.saved}</p>}
      {outcome && 'failed' in outcome && (
        <div data-kind="bad">
          <b>{rateWords.cannotSave}</b>
          {outcome.failed.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </div>
      )}
    </div>
  )
}
