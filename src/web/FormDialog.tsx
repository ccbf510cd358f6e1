import { Button, Modal } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { AnswerOf, BodyIn, BodyOf, Endpoint } from '#contract/endpoint.ts'
import { ApiError, type Input } from './api.ts'
import { confirm } from './confirm.tsx'
import classes from './FormDialog.module.css'
import type { FieldControl } from './fields.tsx'
import { useAction } from './useAction.ts'

/** An endpoint that takes a form. */
export type FormEndpoint = Endpoint & { body: z.ZodType<object> }

type FieldName<E> = keyof NonNullable<BodyIn<E>> & string
/** What a field holds: what goes over the wire, or for a preprocessed value what it becomes. */
type FieldValue<E, Name extends FieldName<E>> = unknown extends NonNullable<BodyIn<E>>[Name]
  ? NonNullable<NonNullable<BodyOf<E>>[Name & keyof NonNullable<BodyOf<E>>]>
  : NonNullable<NonNullable<BodyIn<E>>[Name]>
/** A control for each field of the body: one forgotten or one too many does not compile. */
export type FieldsOf<E> = { [Name in FieldName<E>]-?: FieldControl<FieldValue<E, Name>> }
/** What the form starts with; null is an empty field. */
export type Draft<E> = { [Name in FieldName<E>]-?: FieldValue<E, Name> | null }

type Props<E extends FormEndpoint> = {
  title: string
  call: E
  params?: Input<E>['params']
  start: Draft<NoInfer<E>>
  fields: FieldsOf<NoInfer<E>>
  opened: boolean
  onClose: () => void
  onSaved?: (answer: AnswerOf<E>) => void
  /** Where the fields stand; one under the other without it. */
  layout?: (fields: Record<FieldName<E>, ReactNode>) => ReactNode
  /** Other things that saving changes, by one of their calls each. */
  refreshes?: readonly Endpoint[]
  size?: 'sm' | 'md' | 'lg' | 'xl'
}

/**
 * The one dialog for a form. It checks with the contract's own schema, puts the server's refusals on the same fields,
 * asks before what was typed is lost, and keeps it when a save fails.
 */
export function FormDialog<E extends FormEndpoint>(props: Props<E>) {
  const { title, opened, onClose, size = 'md' } = props
  const changed = useRef(false)
  const [asking, setAsking] = useState(false)

  async function close() {
    if (asking) return
    if (changed.current) {
      setAsking(true)
      const agreed = await confirm('Are you sure to close this dialog?', { label: 'Close' })
      setAsking(false)
      if (!agreed) return
    }
    onClose()
  }
  return (
    <Modal opened={opened} onClose={() => void close()} closeOnEscape={!asking} title={title} size={size}>
      <DialogForm {...props} onCancel={() => void close()} changed={changed} />
    </Modal>
  )
}

const firstField = 'input:not([readonly], [type=color]), textarea, select'

type FormProps<E extends FormEndpoint> = Props<E> & { onCancel: () => void; changed: RefObject<boolean> }

function DialogForm<E extends FormEndpoint>(props: FormProps<E>) {
  const { call: endpoint, params, start, layout, changed, onCancel } = props
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<Record<string, unknown>>({
    initialValues: start,
    validate: schemaResolver(endpoint.body, { sync: true }),
  })
  const { run, running } = useAction(endpoint, { refreshes: props.refreshes })
  // The dialog's focus trap looks for this mark as it opens; without it the close button would have the focus.
  useLayoutEffect(() => element.current?.querySelector(firstField)?.setAttribute('data-autofocus', 'true'), [])
  const [refusals, setRefusals] = useState(0)
  // An effect: by then the refusals are on screen.
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  const dirty = form.isDirty()
  useEffect(() => {
    changed.current = dirty
    return () => {
      changed.current = false
    }
  }, [dirty, changed])

  async function save(body: object) {
    // The fields are the body's own, and the schema has just accepted them.
    const outcome = await run({ params, body } as unknown as Input<E>)
    if (outcome.done) {
      changed.current = false
      props.onSaved?.(outcome.answer)
      props.onClose()
    } else if (outcome.problem instanceof ApiError) {
      form.setErrors(mapErrors(outcome.problem.errors))
      setRefusals((count) => count + 1)
    }
  }
  function saveByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    element.current?.requestSubmit()
  }

  const required = requiredNames(endpoint.body, Object.keys(props.fields))
  // Each control is declared for the value of its own field; gathered here they are all alike.
  const controls = Object.entries(props.fields) as [string, FieldControl<unknown>][]
  const rendered = controls.map(([name, control]) => {
    const problem = form.errors[name]
    const field = control({
      name,
      value: form.values[name],
      set: (value) => form.setFieldValue(name, value),
      error: problem === undefined ? undefined : String(problem),
      required: required.has(name),
    })
    return [name, field] as const
  })

  return (
    <form
      ref={element}
      noValidate
      onSubmit={form.onSubmit(save, () => setRefusals((count) => count + 1))}
      onKeyDown={saveByKey}
      className={classes.form}
    >
      {layout
        ? layout(Object.fromEntries(rendered) as Record<FieldName<E>, ReactNode>)
        : rendered.map(([name, field]) => <div key={name}>{field}</div>)}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={running} title="Ctrl+Enter">
          Save
        </Button>
      </div>
    </form>
  )
}

function mapErrors(errors: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, said]) => [name, said.join(' ')]))
}

const emptinesses = [undefined, null, '', []]
/** The fields that the schema refuses however they are empty. */
function requiredNames(body: z.ZodType, names: readonly string[]): ReadonlySet<string> {
  const refuses = (name: string, value: unknown) =>
    body.safeParse({ [name]: value }).error?.issues.some((issue) => issue.path[0] === name) ?? false
  return new Set(names.filter((name) => emptinesses.every((value) => refuses(name, value))))
}
