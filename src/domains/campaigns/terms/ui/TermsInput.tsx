import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import text from '#ui/theme/text.module.css'
import type { BillingTerms } from '../contract.ts'
import { type TermsKind, termsKinds, termsKindTitles } from '../labels.ts'
import { addTerms } from './add-terms.ts'
import { describeGaps } from './describe-gaps.ts'
import classes from './TermsInput.module.css'

type TermsInputProps = {
  at: FieldBinding<BillingTerms[]>
  controls: ControlSet
  /** One set of terms without days, which are those of the campaign that gets it. */
  undated?: boolean
  /** Of the campaign, whose cycles without terms cost it. */
  serviceFee?: number
}

const kindChoices = termsKinds.map((value) => ({ value, label: termsKindTitles[value] }))

/** One group of fields per terms, without the fields that the kind does not use. */
export function TermsInput({ at, controls, undated = false, serviceFee = 0 }: TermsInputProps) {
  const { dateControl, moneyControl, selectControl, wholeNumberControl } = controls
  const all = at.value ?? []
  const gaps = undated ? [] : describeGaps(all, serviceFee)
  const set = (index: number, fields: Partial<BillingTerms>) =>
    at.set(all.map((one, place) => (place === index ? { ...one, ...fields } : one)))

  return (
    <fieldset className={classes.list}>
      <legend>What the campaign costs</legend>
      {all.map((terms, index) => {
        const bind = <Value,>(path: string, value: Value | null, change: (next: Value) => Partial<BillingTerms>) =>
          ({
            name: `${at.name}.${index}.${path}`,
            value,
            // The schema rejects an emptied field and shows the error next to it.
            set: (next) => set(index, change(next as Value)),
            error: at.within[`${index}.${path}`],
            within: {},
            required: false,
            other: at.other,
            part: at.part,
          }) satisfies FieldBinding<Value>
        const { kind, prices } = terms
        const hasPrices = kind !== 'flat'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: terms have no identity but their position.
          <section key={index} className={classes.terms} aria-label={`Terms ${index + 1}`}>
            {!undated && dateControl('From')(bind('from', terms.from, (from) => ({ from })))}
            {!undated && dateControl('To')(bind('to', terms.to, (to) => ({ to })))}
            {selectControl<TermsKind>('Billing', kindChoices)(bind('kind', kind, (next) => ({ kind: next })))}
            {kind !== 'per_lead' && moneyControl('Fee')(bind('fee', terms.fee, (fee) => ({ fee })))}
            {kind === 'flat_plus' &&
              wholeNumberControl('Included leads')(bind('included', terms.included, (included) => ({ included })))}
            {hasPrices &&
              moneyControl('Per form')(bind('prices.Form', prices.Form, (Form) => ({ prices: { ...prices, Form } })))}
            {hasPrices &&
              moneyControl('Per call')(bind('prices.Call', prices.Call, (Call) => ({ prices: { ...prices, Call } })))}
            {moneyControl('Cap per cycle')(bind('cap', terms.cap, (cap) => ({ cap })))}
            {wholeNumberControl('Dispute window (days)')(
              bind('dispute_days', terms.dispute_days, (dispute_days) => ({ dispute_days })),
            )}
            {!undated && (
              <span className={classes.remove}>
                <IconButton
                  label={`Remove terms ${index + 1}`}
                  icon={IconTrash}
                  onClick={() => at.set(all.filter((_, place) => place !== index))}
                />
              </span>
            )}
          </section>
        )
      })}
      {all.length === 0 && !undated && (
        <p className={text.small}>Without terms each cycle costs the campaign’s service fee.</p>
      )}
      {gaps.map((gap) => (
        <p key={gap} className={text.small}>
          {gap}
        </p>
      ))}
      {at.error && <p className={classes.problem}>{at.error}</p>}
      {!undated && (
        <>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => at.set(addTerms(all, getToday(appConfig.timezone)))}
          >
            Add terms
          </Button>
          <p className={text.small}>A cycle has the terms of its first day. Sent statements don’t change.</p>
        </>
      )}
    </fieldset>
  )
}
