import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { textCell } from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { readConflict } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { type LeadHistory, leadHistoryContract } from '../contract.ts'
import { formatFieldValue, getFieldTitle, type ReferenceNames } from './field-labels.ts'
import classes from './HistoryDrawer.module.css'

type HistoryChange = LeadHistory['changes'][number]
type ChangedField = HistoryChange['fields'][number]

/** The place where restoring was refused because someone else was quicker, and the current value. */
type RestoreConflict = { place: string; now: unknown }

export function HistoryChanges({ changes, lead, patch }: { changes: HistoryChange[]; lead: Lead; patch: PatchLead }) {
  const names = useReferenceNames()
  const [version, setVersion] = useState(lead.version)
  const [outrun, setOutrun] = useState<RestoreConflict | null>(null)
  const { run, running } = useAction(leadHistoryContract.restore, {
    onFailure: (problem, { body }) => {
      const newer = readConflict(leadHistoryContract.restore, problem)
      if (!newer) return toastError(problem)
      show(newer)
      const now: Partial<Record<string, unknown>> = newer
      setOutrun({ place: toFieldKey(body.audit_id, body.field), now: now[body.field] })
      void refreshQueries(leadHistoryContract.read.reads)
    },
  })

  function show(newer: Lead) {
    patch(newer.id, newer)
    setVersion(newer.version)
  }
  async function putBack(audit_id: number, field: string) {
    setOutrun(null)
    const outcome = await run({ params: { id: lead.id }, body: { audit_id, field, version } })
    if (outcome.done) show(outcome.answer)
  }

  return (
    <ul className={`${classes.lines} ${text.dense} ${arrange.ruled}`}>
      {changes.map((change) => (
        <li key={change.audit_id}>
          <p className={classes.what}>
            <span>{describeAuthor(change)}</span>
            <time dateTime={change.at}>{formatInstant(change.at)}</time>
          </p>
          {change.fields.map((field) => {
            const place = toFieldKey(change.audit_id, field.field)
            return (
              <div key={place} className={classes.field}>
                <span className={classes.name}>{getFieldTitle(field.field)}</span>
                <ChangedValues field={field} isNew={change.action === 'created'} names={names} />
                {field.can_restore && (
                  <button
                    type="button"
                    data-hover
                    aria-label={`Restore ${getFieldTitle(field.field)}`}
                    disabled={running}
                    onClick={() => void putBack(change.audit_id, field.field)}
                  >
                    Restore
                  </button>
                )}
                {outrun?.place === place && (
                  <p role="alert" className={classes.outrun}>
                    A teammate changed this first. The value is now{' '}
                    {quoteValue(formatFieldValue(field.field, outrun.now, names))}.
                  </p>
                )}
              </div>
            )
          })}
        </li>
      ))}
    </ul>
  )
}

const quoteValue = (value: string | null) => (value === null ? 'empty' : `“${value}”`)
const toFieldKey = (auditId: number, field: string) => `${auditId} ${field}`

function ChangedValues({
  field: { field, from, to },
  isNew,
  names,
}: {
  field: ChangedField
  isNew: boolean
  names: ReferenceNames
}) {
  return (
    <span className={classes.values}>
      {!isNew && (
        <>
          <span className={text.unseen}>from </span>
          <del>
            <ChangedValue value={formatFieldValue(field, from, names)} />
          </del>
          <IconArrowRight size={14} aria-hidden="true" />
          <span className={text.unseen}> to </span>
        </>
      )}
      <ins>
        <ChangedValue value={formatFieldValue(field, to, names)} />
      </ins>
    </span>
  )
}

const maxCharacters = 240

/** A long value is cropped until it is opened. */
function ChangedValue({ value }: { value: string | null }) {
  const [isOpen, setOpen] = useState(false)
  if (value === null || value.length <= maxCharacters) return textCell(value)
  return (
    <>
      {isOpen ? value : `${value.slice(0, maxCharacters).trimEnd()}…`}{' '}
      <button type="button" className={classes.more} data-hover aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Read Less' : 'Read More'}
      </button>
    </>
  )
}

const viaLabels: Partial<Record<string, string>> = {
  link: 'The client, by a star in an email',
  'link, seen': 'The client saw the page of that star',
  page: 'The client, on the rating page',
  'scanner, undone': 'What an email scanner had saved was undone',
}

function describeAuthor({ by, via, action }: HistoryChange): string {
  const who = by ?? viaLabels[via ?? ''] ?? 'A provider’s update'
  return action === 'created' ? `${who} added the lead` : who
}

/** Reads the names of campaigns and sites. Without access to these lists, people see ids. */
function useReferenceNames(): ReferenceNames {
  const me = useCurrentUser()
  const all =
    useApi(campaignsContract.all, undefined, { enabled: campaignsContract.all.allow(me), quiet: true }).data ?? []
  const sites =
    useApi(clientSitesContract.all, undefined, { enabled: clientSitesContract.all.allow(me), quiet: true }).data ?? []
  return {
    campaigns: new Map(all.map(({ id, name }) => [id, name])),
    sites: new Map(sites.map(({ id, url }) => [id, url])),
  }
}
