import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { type SpamRule, spamContract } from '../contract.ts'
import { RehearsedHits } from './RehearsedHits.tsx'
import classes from './RuleList.module.css'

/** Returns the name of a rule. */
export const getRuleName = (rule: SpamRule) => ('keyword' in rule ? rule.keyword : rule.spammer)

type RuleListProps = { kind: 'keyword' | 'spammer'; onUndo: (rule: SpamRule) => void }

/** Lists what each keyword, or each spammer, hit in the last 12 months, with buttons to try and undo it. */
export function RuleList({ kind, onUndo }: RuleListProps) {
  const answer = useApi(spamContract.rules)
  const mayUndo = spamContract.undoRule.allow(useCurrentUser())
  const [tried, setTried] = useState<number | null>(null)
  const rules = answer.data?.filter((rule) => kind in rule) ?? []
  if (rules.length === 0) return null
  return (
    <section>
      <h3 className={classes.title}>Hits so far</h3>
      <ul className={`${classes.rules} ${arrange.ruled}`} aria-label="Hits so far">
        {rules.map((rule) => {
          const name = getRuleName(rule)
          return (
            <li key={rule.id}>
              <span className={text.breaking}>{name}</span>
              <RuleFacts rule={rule} />
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Try ${name}`}
                aria-expanded={tried === rule.id}
                onClick={() => setTried(tried === rule.id ? null : rule.id)}
              >
                Try
              </Button>
              {mayUndo && (
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
              {tried === rule.id && <TriedRule rule={rule} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function RuleFacts({ rule: { hits, last_hit_at, wrong } }: { rule: SpamRule }): ReactNode {
  return (
    <span className={classes.facts}>
      {hits.toLocaleString('en-US')} {hits === 1 ? 'hit' : 'hits'} in 12 months
      {last_hit_at !== null && `, last ${formatInstantDay(last_hit_at)}`}
      {wrong > 0 && (
        <>
          , <strong className={text.warn}>{wrong.toLocaleString('en-US')} of them good</strong>
        </>
      )}
    </span>
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
