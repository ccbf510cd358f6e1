import { NumberInput, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { pageTitles } from '#contract/pages.ts'
import type { StaffMember } from '#domains/access/contract.ts'
import { leadFields } from '#domains/leads/fields.ts'
import { useApi } from '#ui/data/useApi.ts'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { type AccessExplanation, accessExplanationContract } from '../contract.ts'
import classes from './AccessDialog.module.css'

/** The kinds of rows to choose from, each with the call that changes it or, if there is none, reads it. */
const subjects = {
  Lead: 'PUT lead/{id}',
  Campaign: 'PUT campaign/{id}',
  Client: 'GET client/{id}',
  'Client site': 'PUT clientsite/{id}',
  Listing: 'PUT campaign-gmb/{id}',
} as const
type Subject = keyof typeof subjects
// Its own keys.
const subjectNames = Object.keys(subjects) as Subject[]

type AccessDialogProps = { person: StaffMember; opened: boolean; onClose: () => void }

/** Explains what a person may do with one row, and why. */
export default function AccessDialog({ person: { id: user, username }, opened, onClose }: AccessDialogProps) {
  const [subject, setSubject] = useState<Subject>('Lead')
  const [id, setId] = useState<number>()
  const { data, error } = useApi(
    accessExplanationContract.why,
    { query: { user, call: subjects[subject], id } },
    { enabled: opened && id !== undefined, quiet: true, keepPrevious: true },
  )
  return (
    <ModalDialog opened={opened} onClose={onClose} title={`What does ${username} see?`} size="lg">
      <div className={classes.question}>
        <Select
          label="What"
          data={subjectNames}
          value={subject}
          allowDeselect={false}
          onChange={(chosen) => setSubject(subjectNames.find((name) => name === chosen) ?? 'Lead')}
        />
        <NumberInput
          label="Its id"
          hideControls
          allowDecimal={false}
          min={1}
          max={2_147_483_647}
          value={id ?? ''}
          onChange={(value) => setId(typeof value === 'number' && value > 0 ? value : undefined)}
        />
      </div>
      <div aria-live="polite">
        {error && <p className={classes.hint}>{error.message}</p>}
        {id === undefined && (
          <p className={classes.hint}>The id of a lead, campaign, client, site or listing is in the export.</p>
        )}
        {id !== undefined && data && <ExplanationList subject={subject} explanation={data} />}
      </div>
    </ModalDialog>
  )
}

const verdicts: Record<number, string> = {
  401: 'No: the account is switched off',
  403: 'No: not allowed',
  404: 'No: it does not exist for them',
}

function ExplanationList({ subject, explanation }: { subject: Subject; explanation: AccessExplanation }) {
  const { allowed, status, rule, flag, campaign, fields } = explanation
  const may = subject === 'Client' ? 'Yes' : 'Yes, and they may change it'
  return (
    <dl className={classes.answer}>
      <Line term="Do they see it?">
        <b>{allowed ? may : (verdicts[status] ?? 'No')}</b>
      </Line>
      <Line term="Rule">{rule}</Line>
      {flag && (
        <Line term="Page">
          {flag.needed.map((page) => pageTitles[page]).join(' or ')}: {flag.held ? 'ticked' : 'not ticked'}
        </Line>
      )}
      {campaign && (
        <Line term="Campaign">
          {campaign.name}: {campaign.ticked ? 'ticked' : 'not ticked'}
        </Line>
      )}
      {fields &&
        (['write', 'read', 'none'] as const).map((right) => (
          <Line key={right} term={fieldTerms[right]}>
            {listFieldLabels(fields, right)}
          </Line>
        ))}
    </dl>
  )
}

const fieldTerms = { write: 'Fields they change', read: 'Fields they read', none: 'Fields they do not get' }

function listFieldLabels(fields: NonNullable<AccessExplanation['fields']>, right: string): string {
  const labels: Record<string, { label?: string }> = leadFields
  const names = Object.keys(fields).filter((name) => fields[name] === right)
  return names.map((name) => labels[name]?.label ?? name).join(', ') || 'None'
}

const Line = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)
