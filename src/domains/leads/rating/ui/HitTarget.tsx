import type { RatedLead } from '../contract.ts'
import classes from './screen.module.css'

type StarRating = NonNullable<RatedLead['rating']>
const starRatings: StarRating[] = ['1', '2', '3', '4', '5']

/** An input for one to five stars. */
export function StarRatingInput({ value, set }: { value: RatedLead['rating']; set: (stars: StarRating) => void }) {
  return (
    <fieldset>
      <legend>Hit Target</legend>
      <div className={classes.stars}>
        {starRatings.map((star) => (
          <label key={star} data-ring data-full={(value !== null && star <= value) || undefined}>
            <input
              type="radio"
              name="rating"
              aria-label={star === '1' ? '1 star' : `${star} stars`}
              checked={value === star}
              onChange={() => set(star)}
            />
            <svg viewBox="0 0 24 24" width="32" height="32" aria-hidden="true">
              <path d="M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.4l6.5-.9z" />
            </svg>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
