import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAddress } from '#ui/data/search-params.ts'
import { useAction } from '#ui/data/useAction.ts'
import { readAgain, useApi } from '#ui/data/useApi.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { type Import, imports } from '../contract.ts'
import { counted, countedLines, isBusy, isDraft, kindTitles } from '../labels.ts'
import { ColumnsForm } from './ColumnsForm.tsx'
import { Counts } from './Counts.tsx'
import { stateBadge } from './History.tsx'
import classes from './Imports.module.css'
import { Problems } from './Problems.tsx'

/** Milliseconds between two looks at a task that is under way. */
const pace = 1000

/** One file on its way: its columns, what would become of its lines, the import, its undoing. */
export function OneImport({ id }: { id: number }) {
  const one = useImport(id)
  const title = one.data?.file_name ?? 'Import'
  return (
    <Screen
      title={`Import / ${title}`}
      heading={
        <>
          <Link to="/import" activeOptions={{ exact: true }} className={classes.crumb}>
            Import
          </Link>
          {` / ${title}`}
        </>
      }
      actions={one.data && stateBadge(one.data)}
    >
      {one.data ? <Stage one={one.data} /> : one.error && <p role="alert">{one.error.message}</p>}
    </Screen>
  )
}

/** Looks again while a job is at work, and once more at everything when it is over. */
function useImport(id: number) {
  const answer = useApi(imports.get, { params: { id } }, { quiet: true })
  const { refetch, data } = answer
  const busy = data !== undefined && isBusy(data.state)
  useEffect(() => {
    if (!busy) return
    const timer = window.setInterval(() => void refetch(), pace)
    return () => {
      window.clearInterval(timer)
      void readAgain([imports.problems])
    }
  }, [busy, refetch])
  return answer
}

function Stage({ one }: { one: Import }) {
  const [{ step }, write] = useAddress()
  const toColumns = () => write((before) => ({ ...before, step: 'columns' }))
  const toLines = () => write(({ step: _, ...rest }) => rest)
  const leave = () => write(() => ({ what: one.kind }))
  const isMapping = one.state === 'mapping' || (isDraft(one.state) && step === 'columns')
  if (isMapping) return <ColumnsForm one={one} onChecking={toLines} onDiscarded={leave} />
  if (isBusy(one.state)) return <UnderWay one={one} toColumns={toColumns} />
  return (
    <>
      <div className={classes.card}>
        <Counts one={one} />
        <p className={classes.sentence}>{sentence(one)}</p>
        <div className={classes.row}>
          {one.state === 'checked' && (
            <>
              {one.fresh > 0 && <Run one={one} />}
              <Button variant="default" onClick={toColumns}>
                Change columns
              </Button>
              <ActionButton call={imports.discard} input={{ params: { id: one.id } }} label="Discard" onDone={leave} />
            </>
          )}
          {one.state === 'done' && one.made > 0 && <Undo one={one} />}
          {one.state !== 'checked' && (
            <Button variant="default" component={Link} to={`/${one.kind}`}>
              To {kindTitles[one.kind]}
            </Button>
          )}
        </div>
      </div>
      <Problems key={one.state} one={one} />
    </>
  )
}

/** What becomes, or has become, of the lines. */
function sentence(one: Import): string {
  const { kind, state, fresh, known, refused, made, removed, kept } = one
  const mend = 'Mend them in your file and import it again: what is there by then stays as it is.'
  const left = refused > 0 ? ` ${countedLines(refused)} ${refused === 1 ? 'is' : 'are'} refused and left out.` : ''
  if (state === 'checked') {
    const there =
      known > 0 ? ` ${countedLines(known)} ${known === 1 ? 'is' : 'are'} there already and stay as they are.` : ''
    const coming = fresh > 0 ? `${counted(kind, fresh)} will be made.` : 'Nothing in this file is new.'
    return `${coming}${there}${left} Nothing has been written yet.`
  }
  if (state === 'undone')
    return kept > 0
      ? `${counted(kind, removed)} taken back; ${counted(kind, kept)} kept, because somebody has changed or used them since.`
      : `${counted(kind, removed)} taken back.`
  return `${counted(kind, made)} made.${left}${refused > 0 ? ` ${mend}` : ''}`
}

function Run({ one }: { one: Import }) {
  const { id, kind, fresh, known, refused } = one
  const details = [
    `${counted(kind, fresh)} will be made`,
    ...(known > 0 ? [`${countedLines(known)}: there already, nothing changes`] : []),
    ...(refused > 0 ? [`${countedLines(refused)}: refused, left out`] : []),
    ...(kind === 'leads' ? ['Nobody is mailed'] : []),
  ]
  const { run, running } = useAction(imports.run, { details })
  return (
    <Button loading={running} onClick={() => void run({ params: { id } })}>
      Import {counted(kind, fresh)}
    </Button>
  )
}

function Undo({ one: { id, kind, made } }: { one: Import }) {
  const details = [`${counted(kind, made)} will be removed, except those that somebody has changed or used since`]
  const { run, running } = useAction(imports.undo, { details })
  return (
    <Button variant="default" loading={running} onClick={() => void run({ params: { id } })}>
      Undo import
    </Button>
  )
}

/** A job is at work, or has stopped. */
function UnderWay({ one, toColumns }: { one: Import; toColumns: () => void }) {
  const { id, state, kind, lines, made, removed, kept, dealt_with, problem } = one
  const isUndoing = state === 'undoing'
  const [done, all] = isUndoing ? [removed + kept, made] : [dealt_with, lines]
  const doing = isUndoing ? 'Taking back' : state === 'checking' ? 'Looking at every line of' : 'Importing'
  const label = `${doing} ${one.file_name}`
  return (
    <div className={classes.card}>
      <p className={classes.sentence}>{label}</p>
      <progress className={classes.progress} value={done} max={all} aria-label={label} />
      <p className={classes.hint} role="status">
        {done.toLocaleString('en-US')} of {isUndoing ? counted(kind, all) : countedLines(all)}
      </p>
      {problem !== null && (
        <>
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
          <div className={classes.row}>
            {state === 'checking' ? (
              <Button onClick={toColumns}>Check again</Button>
            ) : (
              <ActionButton
                call={isUndoing ? imports.undo : imports.run}
                input={{ params: { id } }}
                label="Go on"
                variant="filled"
              />
            )}
          </div>
        </>
      )}
    </div>
  )
}
