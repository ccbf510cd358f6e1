import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import { uploadWithProgress } from '#ui/data/upload.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import zone from '#ui/form/drop-zone.module.css'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import text from '#ui/theme/text.module.css'
import {
  filesContract,
  imageMimeTypes,
  imageTooLargeMessage,
  imageTypeMessage,
  maxImageBytes,
  removeImageQuestion,
} from '../contract.ts'
import classes from './Attachments.module.css'
import { ImageThumbnail } from './Images.tsx'

type PendingUpload = { place: number; name: string; part: number; problem?: string }

/**
 * Images of a form: picked, dropped or pasted, any number at once. The field holds their ids in order. An image still
 * uploading has a negative placeholder, which the form rejects with a message.
 */
export function AttachmentsField({ label, at }: { label: string; at: FieldBinding<number[]> }) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { ids, uploads, add, remove, dismiss } = useImageUploads(at)
  useDropAndPaste(add, setOver)
  const said = at.error ?? Object.values(at.within)[0]

  async function ask(id: number) {
    if (!(await confirmAction(removeImageQuestion, { label: 'Remove', danger: true }))) return
    remove(id)
    input.current?.focus()
  }
  const attached = ids.filter((id) => id > 0)
  return (
    <fieldset className={classes.field} data-error={said !== undefined || undefined}>
      <legend>{label}</legend>
      <ul className={`${zone.zone} ${classes.tiles}`} data-over={isOver || undefined}>
        {attached.map((id, index) => (
          <li key={id} className={classes.tile}>
            <ImageThumbnail id={id} />
            <button
              type="button"
              className={classes.remove}
              data-hover
              aria-label={`Remove image ${index + 1}`}
              title="Remove"
              onClick={() => void ask(id)}
            >
              <IconX size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
        {uploads.map((one) => (
          <li key={one.place} className={classes.tile} data-problem={one.problem !== undefined || undefined}>
            <span className={classes.name} title={one.name}>
              {one.name}
            </span>
            {one.problem === undefined ? (
              <progress value={one.part} max={1} aria-label={`Uploading ${one.name}`} />
            ) : (
              <>
                <span role="alert" className={text.bad}>
                  {one.problem}
                </span>
                <button
                  type="button"
                  className={classes.remove}
                  data-hover
                  aria-label={`Dismiss ${one.name}`}
                  title="Dismiss"
                  onClick={() => dismiss(one.place)}
                >
                  <IconX size={14} aria-hidden="true" />
                </button>
              </>
            )}
          </li>
        ))}
        <li>
          <label className={`${zone.picker} ${classes.add}`} data-hover data-ring>
            <IconPhotoPlus size={18} aria-hidden="true" />
            Add images
            <input
              ref={input}
              type="file"
              multiple
              accept={imageMimeTypes.join(',')}
              onChange={(event) => {
                add([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
          </label>
        </li>
      </ul>
      <p className={`${text.smaller} ${classes.hint}`}>Or drop or paste them here: jpeg or png, at most 10 MB each</p>
      {said !== undefined && (
        <p role="alert" className={`${text.small} ${text.bad} ${classes.hint}`}>
          {said}
        </p>
      )}
    </fieldset>
  )
}

function useImageUploads(at: FieldBinding<number[]>) {
  const [uploads, setUploads] = useState<PendingUpload[]>([])
  const field = useRef(at)
  /** The field's current value, also between renders. */
  const held = useRef<number[]>(at.value ?? [])
  useEffect(() => {
    field.current = at
    held.current = at.value ?? []
  })
  const lastPlace = useRef(0)
  const queue = useRef(Promise.resolve())
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const end = new AbortController()
    leaving.current = end
    return () => end.abort()
  }, [])

  function hold(next: number[]) {
    held.current = next
    field.current.set(next)
  }
  const tell = (place: number, change: Partial<PendingUpload>) =>
    setUploads((all) => all.map((one) => (one.place === place ? { ...one, ...change } : one)))
  const dismiss = (place: number) => setUploads((all) => all.filter((one) => one.place !== place))

  async function send(file: File, place: number) {
    const { signal } = leaving.current
    if (signal.aborted) return
    try {
      const { data } = await uploadWithProgress(filesContract.upload, file, {
        tell: (part) => tell(place, { part }),
        signal,
      })
      hold(held.current.map((id) => (id === place ? data.id : id)))
      dismiss(place)
    } catch (problem) {
      if (signal.aborted) return
      hold(held.current.filter((id) => id !== place))
      tell(place, { problem: getErrorMessage(problem) })
    }
  }

  function add(chosen: File[]) {
    const begun = chosen.map((file) => ({ file, place: --lastPlace.current, problem: validateImageFile(file) }))
    setUploads((all) => [
      ...all,
      ...begun.map(({ file, place, problem }) => ({ place, name: file.name, part: 0, ...(problem && { problem }) })),
    ])
    const sound = begun.filter(({ problem }) => !problem)
    if (sound.length > 0) hold([...held.current, ...sound.map(({ place }) => place)])
    // One at a time: this keeps their order and does not split a slow connection among twenty uploads.
    for (const { file, place } of sound) queue.current = queue.current.then(() => send(file, place))
  }
  const remove = (id: number) => hold(held.current.filter((other) => other !== id))
  return { ids: at.value ?? [], uploads, add, remove, dismiss }
}

/** Checks the type and size before the upload; the server checks the content. */
function validateImageFile(file: File): string | undefined {
  if (!imageMimeTypes.some((kind) => kind === file.type)) return imageTypeMessage
  return file.size > maxImageBytes ? imageTooLargeMessage : undefined
}

/** Accepts drops and pastes anywhere while the form is open, because a missed drop would make the browser leave the page. */
function useDropAndPaste(add: (files: File[]) => void, setOver: (isOver: boolean) => void) {
  const latest = useRef(add)
  useEffect(() => {
    latest.current = add
  })
  useEffect(() => {
    const end = new AbortController()
    const on = <Name extends 'dragover' | 'dragleave' | 'drop' | 'paste'>(
      name: Name,
      listen: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, listen, { signal: end.signal })
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

    on('dragover', (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    })
    on('dragleave', (event) => event.relatedTarget === null && setOver(false))
    on('drop', (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      latest.current([...(event.dataTransfer?.files ?? [])])
    })
    on('paste', (event) => {
      const pasted = [...(event.clipboardData?.files ?? [])]
      if (pasted.length === 0) return
      event.preventDefault()
      latest.current(pasted)
    })
    return () => end.abort()
  }, [setOver])
}
