import { Button } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { z } from 'zod'
import { type BodyInput, type ConflictRow, viewRefusal } from '#contract/endpoint.ts'
import { isObject } from '#contract/is-object.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ApiError, buildApiUrl, type CallInput, getFieldErrors, isUnanswered, readConflict } from '../data/api.ts'
import { usePerson } from '../data/person.ts'
import { onSessionEnd } from '../data/session-token.ts'
import { useAction } from '../data/useAction.ts'
import { refreshQueries } from '../data/useApi.ts'
import { toastError } from '../feedback/toast.tsx'
import { ModalDialog } from '../layout/ModalDialog.tsx'
import { useIsOpen } from '../layout/useIsOpen.ts'
import * as controls from './controls.tsx'
import type { FieldBinding, FieldControl } from './field-binding.ts'
import type { FieldName, FormDialogProps, FormEndpoint } from './form-dialog-props.ts'
import { dropDraft, findDraft, keepDraft } from './kept-drafts.ts'
import { MergeConflictField, MergeUpdatedField } from './MergeConflict.tsx'
import { findMergeConflict, type MergeConflict, withEdits } from './merge-conflict.ts'
import classes from './OpenForm.module.css'
import { useUnsavedDialog } from './useUnsavedGuard.ts'

/** The dialog that `FormDialog` loads. */
export default function FormModal<E extends FormEndpoint>(props: FormDialogProps<E>) {
  const { title, opened, onClose, size = 'md' } = props
  const changed = useRef(false)
  const close = useUnsavedDialog({ isUnsaved: () => changed.current, opened, onClose })
  return (
    <ModalDialog opened={opened} onClose={close} title={title} size={size}>
      <DialogForm {...props} onCancel={close} changed={changed} />
    </ModalDialog>
  )
}

/** An invalid field, or the first button of a merge conflict. */
const firstInvalidSelector = '[aria-invalid="true"], [data-theirs] button'

type DialogFormProps<E extends FormEndpoint> = FormDialogProps<E> & {
  onCancel: () => void
  changed: RefObject<boolean>
}

function DialogForm<E extends FormEndpoint>(props: DialogFormProps<E>) {
  const { call: endpoint, params, start, layout, changed, onCancel } = props
  const { id: userId, isView } = usePerson()
  const element = useRef<HTMLFormElement>(null)
  const isOpen = useIsOpen()
  const [formKey] = useState(() => getFormKey(endpoint, params, start))
  const [draft] = useState(() => findDraft(formKey, userId))
  const findProblems = schemaResolver(endpoint.body, { sync: true })
  const form = useForm<Record<string, unknown>>({ initialValues: start, validate: findProblems })
  const [conflict, setConflict] = useState<MergeConflict | null>(() => {
    const found = draft && props.conflict && findMergeConflict(draft.start, draft.values, start)
    return found && Object.keys({ ...found.taken, ...found.open }).length > 0 ? found : null
  })
  const seen = useRef<Record<string, unknown>>(start)
  // Failures are handled below: the form shows them at its fields.
  const { success } = props
  const { run, running } = useAction(endpoint, {
    onFailure: () => undefined,
    isForm: true,
    ...(success ? { success } : {}),
  })
  const [reviewing, setReviewing] = useState(false)
  const [mayBeSaved, setMayBeSaved] = useState(false)
  const [refusals, setRefusals] = useState(0)
  // In an effect, when the errors are on screen.
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>(firstInvalidSelector)?.focus()
  }, [refusals])
  const [choices, setChoices] = useState(0)
  // The button that was pressed is gone, and the focus with it.
  useEffect(() => {
    if (choices > 0) element.current?.querySelector<HTMLElement>('[data-theirs] button, [type=submit]')?.focus()
  }, [choices])
  // Once, and not as initial values: what was typed is still unsaved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later renders have nothing to restore.
  useLayoutEffect(() => {
    if (draft) form.setValues(withEdits(draft.start, draft.values, start))
    else if (props.edited) form.setValues(props.edited)
    dropDraft(formKey)
  }, [])
  const isGone = useRef(false)
  useEffect(
    () => () => {
      if (isGone.current) void refreshQueries(endpoint.changes ?? [])
    },
    [endpoint],
  )
  // Each control is typed for its own field's value; here they are handled alike.
  const declared = Object.entries(props.fields(controls)) as [string, FieldControl<unknown>][]
  const is = (property: 'keepsWhenEmpty' | 'isStoredApart', name: string) =>
    declared.some(([own, control]) => own === name && control[property])
  const isEdited = () =>
    form.isDirty() && Object.keys(form.getValues()).some((name) => form.isDirty(name) && !is('isStoredApart', name))
  const dirty = isEdited()
  useEffect(() =>
    onSessionEnd((why) => {
      if (why !== 'expired' || userId === null || !isEdited()) return
      const withoutPasswords = Object.entries(form.getValues()).filter(([name]) => !isKept(name))
      const values = Object.fromEntries(withoutPasswords)
      keepDraft(formKey, { userId, title: props.title, start: seen.current, values })
    }),
  )
  useEffect(() => {
    changed.current = dirty
    return () => {
      changed.current = false
    }
  }, [dirty, changed])

  /** Merges a newer row: edited fields stay, the others take its values. Also refreshes the screen behind, which is stale too. */
  function mergeConflict(row: ConflictRow<E>) {
    void refreshQueries(endpoint.changes ?? [])
    const now = props.conflict?.read(row) ?? {}
    const found = findMergeConflict(seen.current, form.getValues(), now)
    seen.current = now
    form.setValues(found.taken)
    setConflict(found)
  }
  function choose(name: string) {
    setConflict((before) => before && { ...before, open: omitKey(before.open, name) })
    setChoices((count) => count + 1)
  }

  const isBusy = running || reviewing
  async function save(body: object) {
    if (isBusy || isView) return // Ctrl+Enter does not know that the button is disabled
    if (conflict && Object.keys(conflict.open).length > 0) return setRefusals((count) => count + 1)
    setConflict(null)
    setMayBeSaved(false)
    if (await reviewed(body)) await send(body)
  }
  async function send(body: object) {
    // The schema has just accepted these fields.
    const outcome = await run({ params, body: asSent(body) } as unknown as CallInput<E>)
    if (outcome.done) {
      if (isOpen()) changed.current = false
      props.onSaved?.(outcome.answer)
      if (isOpen()) props.onClose()
    } else if (outcome.problem instanceof ApiError) {
      const more = await props.confirm?.(outcome.problem)
      if (more) await send({ ...body, ...more })
      else refused(outcome.problem, more === false)
    } else if (outcome.problem) refused(outcome.problem)
  }
  async function reviewed(body: object): Promise<boolean> {
    if (!props.review) return true
    setReviewing(true)
    try {
      return await props.review(asSent(body) as BodyInput<E>) // as in `send`
    } catch (problem) {
      refused(problem)
      return false
    } finally {
      setReviewing(false)
    }
  }
  function refused(problem: unknown, isKnown = false) {
    if (problem instanceof ApiError && problem.status === 401) return // the login page says why
    const now = props.conflict && readConflict(endpoint, problem)
    if (now) mergeConflict(now)
    else if (!isKnown) toastError(problem)
    if (!now && problem instanceof ApiError) form.setErrors(getFieldErrors(problem))
    // The list behind drops the row once this is closed: with the row, what is typed would go too.
    if (problem instanceof ApiError && problem.status === 404) isGone.current = true
    if (problem instanceof ApiError && isUnanswered(problem)) {
      setMayBeSaved(!params) // an old version refuses what would change a row twice
      void refreshQueries(endpoint.changes ?? [])
    }
    setRefusals((count) => count + 1)
  }
  const asSent = (body: object) =>
    Object.fromEntries(
      Object.entries(body).filter(([name, value]) => !is('isStoredApart', name) && (value !== '' || !isKept(name))),
    )
  const isKept = (name: string) => is('keepsWhenEmpty', name)
  function saveByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    element.current?.requestSubmit()
  }

  const required = findRequiredFields(endpoint.body, listFieldNames(start))
  const placeOf = (name: string): FieldBinding<unknown> => {
    const problem = form.errors[name]
    return {
      name,
      value: getValueAtPath(form.values, name),
      set: (value) => {
        const shown = Object.keys(form.errors)
        const before = shown.length > 0 && findProblems(form.getValues())
        form.setFieldValue(name, value)
        if (!before) return
        // Another field's too, where it was refused for this one's value.
        const now = findProblems(form.getValues())
        const isOver = (path: string) => path.startsWith(`${name}.`) || (path in before && !(path in now))
        for (const path of shown.filter(isOver)) form.clearFieldError(path)
      },
      error: problem === undefined ? undefined : String(problem),
      within: getNestedErrors(form.errors, name),
      required: required.has(name),
      other: (path) => getValueAtPath(form.values, path),
      part: (key) => placeOf(`${name}.${key}`),
    }
  }
  let isAnyMarked = false
  const rendered = declared.map(([name, control]) => {
    const at = placeOf(name)
    const field = control(at)
    isAnyMarked ||= name in { ...(field ? conflict?.taken : {}), ...conflict?.open }
    return [name, marked(at, field)] as const
  })

  /** Returns the field, next to the newer value where there is one. */
  function marked(at: FieldBinding<unknown>, field: ReactNode): ReactNode {
    const { taken = {}, open = {} } = conflict ?? {}
    if (field && at.name in taken) return <MergeUpdatedField>{field}</MergeUpdatedField>
    if (!(at.name in open)) return field
    const theirs = open[at.name]
    const use = () => {
      at.set(theirs)
      choose(at.name)
    }
    return (
      <MergeConflictField value={props.conflict?.shown(at.name, theirs) ?? null} use={use} keep={() => choose(at.name)}>
        {field}
      </MergeConflictField>
    )
  }

  return (
    <form
      ref={element}
      noValidate
      onSubmit={form.onSubmit(save, () => setRefusals((count) => count + 1))}
      onKeyDown={saveByKey}
      className={arrange.stack}
    >
      {isView && <p className={classes.notice}>{viewRefusal}.</p>}
      {draft && (
        <p role="status" className={classes.notice}>
          What you typed before your session ended is back. Check it, then save.
        </p>
      )}
      {conflict && (
        <p role="alert" className={classes.notice}>
          {isAnyMarked
            ? 'Someone else has changed this. Your changes are kept: check the marked fields, then save again.'
            : 'This has changed since you opened it, but none of the fields here. Your changes are kept: save again.'}
        </p>
      )}
      {mayBeSaved && (
        <p role="alert" className={classes.notice}>
          The server’s answer did not arrive, so this may have been saved. You can safely save again without changing
          anything. If you want to change something, check the list first.
        </p>
      )}
      {layout
        ? layout(Object.fromEntries(rendered) as Record<FieldName<E>, ReactNode>)
        : rendered.map(([name, field]) => <Fragment key={name}>{field}</Fragment>)}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={isView} title="Ctrl+Enter">
          {props.saveLabel ?? 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** Identifies a form: what it sends to, and for a new row what it starts with. */
function getFormKey(call: FormEndpoint, params: object | undefined, start: object): string {
  const address = `${call.method} ${buildApiUrl(call, { params })}`
  return params ? address : `${address} ${JSON.stringify(start)}`
}

const omitKey = (values: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(values).filter(([other]) => other !== name))

/** Returns the errors inside a field: `schedule.3.endTime` as `3.endTime` for `schedule`. */
function getNestedErrors(errors: Record<string, ReactNode>, name: string): Record<string, string> {
  const inside = Object.entries(errors).filter(([path]) => path.startsWith(`${name}.`))
  return Object.fromEntries(inside.map(([path, said]) => [path.slice(name.length + 1), String(said)]))
}

/** Returns the value at a path such as `user.email`. */
const getValueAtPath = (values: object, name: string): unknown =>
  name.split('.').reduce<unknown>((value, key) => (isObject(value) ? Reflect.get(value, key) : undefined), values)

/** Returns the names of all fields, those within a group as `user.email`. */
const listFieldNames = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isObject(value) ? [name, ...listFieldNames(value).map((part) => `${name}.${part}`)] : [name],
  )

const emptyValues = [undefined, null, '', []]
/** Returns the fields for which the schema refuses every kind of empty value. */
function findRequiredFields(body: z.ZodType, names: readonly string[]): ReadonlySet<string> {
  const within = (path: readonly string[], value: unknown): unknown =>
    path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  const refuses = (name: string, value: unknown) =>
    body.safeParse(within(name.split('.'), value)).error?.issues.some((issue) => issue.path.join('.') === name) ?? false
  return new Set(names.filter((name) => emptyValues.every((value) => refuses(name, value))))
}
