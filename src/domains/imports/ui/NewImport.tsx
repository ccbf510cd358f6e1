import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#ui/data/api.ts'
import { uploadWithProgress } from '#ui/data/upload.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { SmallSelect } from '#ui/filters/SmallSelect.tsx'
import zone from '#ui/form/drop-zone.module.css'
import card from '#ui/layout/Card.module.css'
import { fileErrorMessages, importsContract, maxImportBytes } from '../contract.ts'
import { type ImportKind, importKinds, importKindTitles } from '../labels.ts'
import classes from './Imports.module.css'

type NewImportProps = { kind: ImportKind; choose: (kind: ImportKind) => void; onTaken: (id: number) => void }

const kindChoices = importKinds.map((kind) => ({ value: kind, label: importKindTitles[kind] }))

/** Asks for the kind of rows and the file. */
export function NewImport({ kind, choose, onTaken }: NewImportProps) {
  const [isOver, setOver] = useState(false)
  const { part, problem, send } = useImportUpload(kind, onTaken)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && part === null) void send(file)
  }
  return (
    <section className={card.card} aria-label="New import" data-unprinted>
      <div className={card.row}>
        <SmallSelect label="Import" value={kind} choices={kindChoices} choose={choose} />
      </div>
      <label
        className={`${zone.zone} ${zone.picker} ${classes.drop}`}
        data-hover
        data-ring
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconFileUpload size={20} aria-hidden="true" />
        <span>
          <b>Choose a CSV file</b> or drop it here
        </span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
          aria-label="CSV file"
          disabled={part !== null}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            if (file) void send(file)
          }}
        />
      </label>
      {part !== null && <progress className={classes.progress} value={part} max={1} aria-label="Uploading" />}
      {problem && (
        <p role="alert" className={card.hint} data-kind="bad">
          {problem}
        </p>
      )}
      <p className={card.hint}>
        At most 20 MB and 50,000 lines; the header names the columns. You’ll see a preview before anything is saved.
      </p>
      <UnderstoodColumns kind={kind} />
    </section>
  )
}

/** The columns that such a file may have. */
function UnderstoodColumns({ kind }: { kind: ImportKind }) {
  const { data } = useApi(importsContract.fields, undefined, { kept: true })
  return (
    <details className={classes.understood}>
      <summary>Recognized columns</summary>
      <dl>
        {data?.[kind].map(({ name, label, required, about }) => (
          <div key={name}>
            <dt>
              {label}
              {required && <span className={classes.required}>required</span>}
            </dt>
            <dd>{about ?? 'Text'}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function useImportUpload(kind: ImportKind, onTaken: (id: number) => void) {
  const [part, setPart] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const end = new AbortController()
    leaving.current = end
    return () => end.abort()
  }, [])

  async function send(file: File) {
    setProblem(file.size > maxImportBytes ? fileErrorMessages.tooLarge : null)
    if (file.size > maxImportBytes) return
    setPart(0)
    const { signal } = leaving.current
    try {
      const taken = await uploadWithProgress(
        importsContract.upload,
        file,
        { tell: setPart, signal },
        { query: { kind } },
      )
      void refreshQueries(importsContract.list.reads)
      onTaken(taken.id)
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof ApiError ? error.message : String(error))
    } finally {
      setPart(null)
    }
  }
  return { part, problem, send }
}
