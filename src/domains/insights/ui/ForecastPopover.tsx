import { type ReactNode, Suspense, useRef, useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { getTroubleStateLabel } from '#domains/campaigns/labels.ts'
import { CellPopover, useCellPopover } from '#ui/cells/CellPopover.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { insightsContract } from '../contract.ts'
import { type CampaignHealth, formatChance, isStatusContradicted } from '../labels.ts'
import { ForecastSummary } from './ForecastSummary.tsx'
import classes from './Insights.module.css'

const WhyDialog = lazyComponent(() => import('../why/ui/WhyDialog.tsx'))

/** A popover focuses its first control, unless that comes later. */
const focusArrived = (button: HTMLElement | null) => button?.focus({ preventScroll: true })

type ForecastPopoverProps = {
  campaign: { id: number; name: string; trouble_state: number }
  chance: number | null
  health: CampaignHealth
  /** The button's accessible name; its content is in `children`. */
  label: string
  className?: string | undefined
  children: ReactNode
}

/** A number with its background: range, cases, accuracy, and a button for why. */
export function ForecastPopover({ campaign, chance, health, label, className, children }: ForecastPopoverProps) {
  const me = useCurrentUser()
  const { isOpen, close, opener } = useCellPopover()
  const [isExplained, setExplained] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className ?? classes.plain}
        aria-label={label}
        aria-haspopup="dialog"
        {...opener}
      >
        {children}
      </button>
      {isOpen && (
        <CellPopover at={button} label={`Forecast of ${campaign.name}`} onClose={close}>
          <div className={classes.popover}>
            {chance !== null && isStatusContradicted(campaign.trouble_state, health) && (
              <p className={classes.differs}>
                You say {getTroubleStateLabel(campaign.trouble_state)}; chance {formatChance(chance)}.
              </p>
            )}
            <ForecastSummary campaignId={campaign.id}>
              {me && insightsContract.why.allow(me) && (
                <button
                  ref={focusArrived}
                  type="button"
                  className={classes.plain}
                  data-link
                  aria-haspopup="dialog"
                  onClick={() => {
                    close()
                    setExplained(true)
                  }}
                >
                  Why?
                </button>
              )}
            </ForecastSummary>
          </div>
        </CellPopover>
      )}
      {isExplained && (
        <Suspense>
          <WhyDialog campaign={campaign} onClose={() => setExplained(false)} />
        </Suspense>
      )}
    </>
  )
}
