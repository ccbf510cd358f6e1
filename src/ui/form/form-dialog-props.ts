import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { BodyInput, BodyOf, ConflictRow, Endpoint, ResponseOf } from '#contract/endpoint.ts'
import type { ApiError, CallInput } from '../data/api.ts'
import type { FieldControl } from './fields.tsx'

/** An endpoint that takes a form. */
export type FormEndpoint = Endpoint & { body: z.ZodType<object> }

export type FieldName<E> = keyof NonNullable<BodyInput<E>> & string
/** What a field holds: what goes over the wire, or for a preprocessed value what it becomes. */
type FieldValue<E, Name extends FieldName<E>> = unknown extends NonNullable<BodyInput<E>>[Name]
  ? NonNullable<NonNullable<BodyOf<E>>[Name & keyof NonNullable<BodyOf<E>>]>
  : NonNullable<NonNullable<BodyInput<E>>[Name]>
/** A control for each field of the body: one forgotten or one too many does not compile. */
export type FormControls<E> = { [Name in FieldName<E>]-?: FieldControl<FieldValue<E, Name>> }
/** What the form starts with; null is an empty field. */
export type FormDraft<E> = { [Name in FieldName<E>]-?: FieldValue<E, Name> | null }

export type FormDialogProps<E extends FormEndpoint> = {
  title: string
  call: E
  params?: CallInput<E>['params']
  start: FormDraft<NoInfer<E>>
  fields: FormControls<NoInfer<E>>
  opened: boolean
  onClose: () => void
  onSaved?: (answer: ResponseOf<E>) => void
  /** Where the fields stand; one under the other without it. */
  layout?: (fields: Record<FieldName<E>, ReactNode>) => ReactNode
  /** Other things that saving changes, by one of their calls each. */
  refreshes?: readonly Endpoint[]
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** Shows what saving would change, and answers whether to go on. What it throws is told like a refusal of the save itself. */
  review?: (body: BodyInput<NoInfer<E>>) => Promise<boolean>
  /** Asks whether to save all the same after a refusal, and returns what to send besides; null leaves it refused. */
  confirm?: (problem: ApiError) => Promise<Partial<BodyInput<NoInfer<E>>> | null>
  /** Said instead of the call's own sentence. */
  success?: (answer: ResponseOf<E>) => string
  /** Where a save may be answered 409 with a newer row: what was typed stays, beside what others saved. */
  conflict?: MergeConflictReader<NoInfer<E>>
}

type MergeConflictReader<E> = {
  /** The form of the newer row. */
  read: (now: ConflictRow<E>) => FormDraft<E>
  /** A value in words; null where it is empty. */
  shown: (name: string, value: unknown) => string | null
}
