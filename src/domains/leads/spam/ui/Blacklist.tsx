import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { textCell } from '#ui/cells/cells.tsx'
import { type ApiError, callApi } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import arrange from '#ui/layout/arrange.module.css'
import { useDialog } from '#ui/layout/useDialog.ts'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import { toTableSource } from '#ui/table/useArray.ts'
import { foldKeyword, parseKeywords, type SpamRule, spamContract } from '../contract.ts'
import classes from './Blacklist.module.css'
import { RehearsedHits, rehearsalDelay } from './RehearsedHits.tsx'
import { getRuleName, RuleTable } from './RuleTable.tsx'
import { UndoRule } from './UndoRule.tsx'

const keywordsOptions = {
  rows: 14,
  hint: 'One per line. A lead that contains one as whole words is tagged BLSpam and hidden; * at the end matches the start of words.',
}

const toBlacklistFields =
  (saved: string[], onUndo: (rule: SpamRule) => void) =>
  ({ textareaControl }: ControlSet) => ({
    keywords: (at: FieldBinding<string>) => (
      <div className={`${arrange.pair} ${classes.beside}`}>
        <div>
          {textareaControl('Keywords', keywordsOptions)(at)}
          <KeywordsRehearsal typed={at.value ?? ''} saved={saved} />
        </div>
        <div>
          <SuggestedKeywords typed={at.value ?? ''} add={(keyword) => at.set(addLine(at.value ?? '', keyword))} />
          <KeywordTable onUndo={onUndo} />
        </div>
      </div>
    ),
    confirmed: () => null, // sent after the confirmation below
  })

/** Shows what new keywords would have hit. */
function KeywordsRehearsal({ typed, saved }: { typed: string; saved: string[] }) {
  const known = new Set(saved.map(foldKeyword))
  const added = parseKeywords(typed)
    .filter((keyword) => !known.has(foldKeyword(keyword)))
    .join('\n')
  const [keywords] = useDebouncedValue(added, rehearsalDelay)
  const answer = useApi(
    spamContract.rehearseKeywords,
    { body: { keywords } },
    { enabled: keywords !== '', quiet: true },
  )
  return added === '' || keywords === '' ? null : <RehearsedHits answer={answer} />
}

const addLine = (text: string, line: string) => (text.trim() === '' ? line : `${text.trimEnd()}\n${line}`)

/** Suggests words from leads that staff tagged Spam; a click adds one to the text. */
function SuggestedKeywords({ typed, add }: { typed: string; add: (keyword: string) => void }) {
  const answer = useApi(spamContract.suggestKeywords, undefined, { quiet: true })
  const known = new Set(parseKeywords(typed).map(foldKeyword))
  const offered = answer.data?.filter(({ keyword }) => !known.has(keyword)) ?? []
  if (offered.length === 0) return null
  return (
    <section className={classes.suggestions} aria-label="Suggested keywords">
      <p>In leads tagged Spam and rarely in others; no verified lead has them:</p>
      <ul className={arrange.chips}>
        {offered.map(({ keyword, hits }) => (
          <li key={keyword}>
            <Button size="compact-xs" variant="default" aria-label={`Add ${keyword}`} onClick={() => add(keyword)}>
              {keyword} ({hits.toLocaleString('en-US')})
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const keywordColumns: [TableColumn<SpamRule>] = [
  { key: 'keyword', title: 'Keyword', cell: (rule) => textCell(getRuleName(rule)) },
]

function KeywordTable({ onUndo }: { onUndo: (rule: SpamRule) => void }) {
  const answer = useApi(spamContract.rules)
  const rules = answer.data?.filter((rule) => 'keyword' in rule)
  if (rules?.length === 0) return null
  return <RuleTable label="Hits so far" list={toTableSource(answer, rules)} columns={keywordColumns} onUndo={onUndo} />
}

/** Asks for confirmation, with the numbers, before keywords that hit a lot are saved. */
async function confirmKeywords({ errors }: ApiError) {
  if (!errors.keywords || Object.keys(errors).length > 1) return null
  const agreed = await confirmAction('Are you sure you want to save these keywords?', {
    label: 'Save anyway',
    danger: true,
    details: errors.keywords,
  })
  return agreed && { confirmed: true }
}

/** Opens the blacklist, all keywords in one text. */
export function BlacklistButton() {
  const dialog = useReadDialog<Blacklist>()
  const undo = useDialog<SpamRule>()
  if (!spamContract.saveKeywords.allow(useCurrentUser())) return null
  return (
    <>
      <Button variant="default" onClick={() => void dialog.read(() => callApi(spamContract.keywords))}>
        Blacklist
      </Button>
      {dialog.subject && (
        <FormDialog
          title="Blacklist"
          call={spamContract.saveKeywords}
          start={toBlacklistForm(dialog.subject)}
          fields={toBlacklistFields(listKeywords(dialog.subject), undo.open)}
          conflict={{ read: toBlacklistForm, shown: (name, value) => (name === 'keywords' ? String(value) : null) }}
          confirm={confirmKeywords}
          opened={dialog.opened}
          onClose={dialog.close}
          size="xl"
        />
      )}
      <UndoRule dialog={undo} />
    </>
  )
}

type Blacklist = ResponseOf<typeof spamContract.keywords>

const listKeywords = ({ keywords }: Blacklist) => keywords.map(({ keyword }) => keyword)
const toBlacklistForm = (list: Blacklist) => ({
  keywords: listKeywords(list).join('\n'),
  version: list.version,
  confirmed: null,
})
