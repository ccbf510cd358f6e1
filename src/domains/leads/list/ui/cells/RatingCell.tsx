import type { Lead } from '#domains/leads/contract.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { useEditLead } from '../LeadEditing.tsx'
import classes from './cells.module.css'
import { EditFailureNotice } from './EditFailureNotice.tsx'

const starValues = ['1', '2', '3', '4', '5'] as const
const ratingViaLabels = {
  unconfirmed: {
    word: 'not confirmed',
    title:
      'A star in an email was opened within a minute of sending, perhaps by a scanner: it counts once the page is seen',
  },
  link: { word: 'by email', title: 'Rated by a star in an email' },
  page: { word: 'on page', title: 'Rated on the rating page' },
  staff: { word: 'signed in', title: 'Rated by a signed-in user' },
} as const

/** One to five stars and their origin. A click on the last full star clears them. */
export function RatingCell({ lead }: { lead: Lead }) {
  const edit = useEditLead()
  const origin = lead.rating_unconfirmed === 1 ? 'unconfirmed' : lead.rating_via
  const via = lead.rating === null || origin === null ? null : ratingViaLabels[origin]
  return (
    <>
      <div className={arrange.beside}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset in each of a thousand cells costs more than it says. */}
        <div className={classes.stars} data-printed-colors role="group" aria-label={`Rating: ${lead.rating ?? 'none'}`}>
          {starValues.map((star) => (
            <button
              key={star}
              type="button"
              aria-label={star === '1' ? '1 star' : `${star} stars`}
              aria-pressed={lead.rating === star}
              data-full={(lead.rating !== null && lead.rating >= star) || undefined}
              data-unprinted={lead.rating === null || lead.rating < star || undefined}
              onClick={() => edit(lead, 'rating', lead.rating === star ? null : star)}
            >
              <StarIcon />
            </button>
          ))}
        </div>
        {via && (
          <span className={`${text.caption} ${text.oneLine}`} title={via.title}>
            {via.word}
          </span>
        )}
      </div>
      <EditFailureNotice id={lead.id} field="rating" />
    </>
  )
}

function StarIcon() {
  return (
    <svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
      <path d="M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.4l6.5-.9z" />
    </svg>
  )
}
