import { Button } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { countOf } from '#contract/count-of.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { DataTable } from '#ui/table/DataTable.tsx'
import { RowActions } from '#ui/table/RowActions.tsx'
import type { TableColumn, TableSource } from '#ui/table/table-column.ts'
import text from '#ui/theme/text.module.css'
import { type SpamRule, spamContract } from '../contract.ts'
import { RehearsedHits } from './RehearsedHits.tsx'
import classes from './RuleTable.module.css'

/** Returns the name of a rule. */
export const getRuleName = (rule: SpamRule) => ('keyword' in rule ? rule.keyword : rule.spammer)

type RuleTableProps<Row> = {
  label: string
  list: TableSource<Row>
  /** What the rule is; its hits stand below the first. Needs a stable identity. */
  columns: readonly [TableColumn<Row>, ...TableColumn<Row>[]]
  onUndo: (rule: SpamRule) => void
  /** More buttons of a row. Needs a stable identity. */
  buttons?: (row: Row) => ReactNode
}

/** Lists rules with what each hit in the last 12 months, and buttons to try and undo it. */
export function RuleTable<Row extends { id: number }>({ label, list, columns, onUndo, buttons }: RuleTableProps<Row>) {
  const rules = useApi(spamContract.rules).data
  const mayUndo = spamContract.undoRule.allow(useCurrentUser())
  const [tried, setTried] = useState<number>()
  const shown = useMemo((): TableColumn<Row>[] => {
    const byId = new Map(rules?.map((rule) => [rule.id, rule]))
    const [name, ...others] = columns
    return [
      {
        ...name,
        cell: (row) => (
          <span className={arrange.lines}>
            {name.cell(row)}
            <RuleFacts rule={byId.get(row.id)} />
          </span>
        ),
      },
      ...others,
      {
        key: 'actions',
        title: 'Actions',
        width: buttons ? 152 : 120,
        pinned: 'end',
        cell: (row) => (
          <RuleActions
            rule={byId.get(row.id)}
            tried={tried === row.id}
            onTry={setTried}
            onUndo={mayUndo ? onUndo : undefined}
          >
            {buttons?.(row)}
          </RuleActions>
        ),
      },
    ]
  }, [rules, columns, buttons, mayUndo, onUndo, tried])
  const triedRule = rules?.find(({ id }) => id === tried)
  return (
    <div>
      <div className={classes.table}>
        <DataTable label={label} list={list} columns={shown} />
      </div>
      {triedRule && <TriedRule key={tried} rule={triedRule} />}
    </div>
  )
}

function RuleFacts({ rule }: { rule: SpamRule | undefined }): ReactNode {
  if (!rule) return null
  const { hits, last_hit_at, wrong } = rule
  return (
    <span className={text.caption}>
      {countOf(hits, 'hit')} in 12 months
      {last_hit_at !== null && `, last ${formatInstantDay(last_hit_at)}`}
      {wrong > 0 && (
        <>
          , <strong className={text.warn}>{wrong.toLocaleString('en-US')} of them good</strong>
        </>
      )}
    </span>
  )
}

type RuleActionsProps = {
  rule: SpamRule | undefined
  tried: boolean
  onTry: (id: number | undefined) => void
  onUndo: ((rule: SpamRule) => void) | undefined
  children: ReactNode
}

function RuleActions({ rule, tried, onTry, onUndo, children }: RuleActionsProps) {
  if (!rule) return children
  const name = getRuleName(rule)
  return (
    <RowActions>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Try ${name}`}
        aria-expanded={tried}
        onClick={() => onTry(tried ? undefined : rule.id)}
      >
        Try
      </Button>
      {onUndo && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Undo ${name}`}
          disabled={rule.hits === 0}
          onClick={() => onUndo(rule)}
        >
          Undo
        </Button>
      )}
      {children}
    </RowActions>
  )
}

const TriedRule = ({ rule }: { rule: SpamRule }) =>
  'keyword' in rule ? <TriedKeyword keyword={rule.keyword} /> : <TriedSpammer id={rule.id} />

function TriedKeyword({ keyword }: { keyword: string }) {
  const answer = useApi(spamContract.rehearseKeywords, { body: { keywords: keyword } }, { quiet: true })
  return <RehearsedHits answer={answer} />
}

function TriedSpammer({ id }: { id: number }) {
  const spammer = useApi(spamContract.spammers).data?.find((one) => one.id === id)
  const body = { phone: spammer?.phone ?? null, email: spammer?.email ?? null }
  const answer = useApi(spamContract.rehearseSpammer, { body }, { enabled: spammer !== undefined, quiet: true })
  return <RehearsedHits answer={answer} />
}
