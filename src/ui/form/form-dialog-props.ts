import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { BodyInput, BodyOf, ConflictRow, Endpoint, ResponseOf } from '#contract/endpoint.ts'
import type { ApiError, CallInput } from '../data/api.ts'
import type { ControlSet } from './control-set.ts'
import type { FieldControl } from './field-binding.ts'

/** An endpoint that takes a form. */
export type FormEndpoint = Endpoint & { body: z.ZodType<object> }

export type FieldName<E> = keyof NonNullable<BodyInput<E>> & string
/** The value of a field: as sent, or for a preprocessed field as parsed. */
type FieldValue<E, Name extends FieldName<E>> = unknown extends NonNullable<BodyInput<E>>[Name]
  ? NonNullable<NonNullable<BodyOf<E>>[Name & keyof NonNullable<BodyOf<E>>]>
  : NonNullable<NonNullable<BodyInput<E>>[Name]>
/** A control for each field of the body but the version: the form sends it as it was read, so that nothing newer is overwritten. */
export type ControlsOf<E> = { [Name in Exclude<FieldName<E>, 'version'>]-?: FieldControl<FieldValue<E, Name>> }
/** Returns a form's controls. `F` is inferred: in what a function returns, TypeScript does not look for extra properties. */
export type FormControls<E, F> = (controls: ControlSet) => F & { [Extra in Exclude<keyof F, FieldName<E>>]: never }
/** The initial values of the form; null is an empty field, undefined one that is not sent until it is filled in. */
export type FormDraft<E> = { [Name in FieldName<E>]-?: FieldValue<E, Name> | null | undefined }

export type FormDialogProps<E extends FormEndpoint, F = ControlsOf<E>> = {
  title: string
  call: E
  params?: CallInput<E>['params']
  start: FormDraft<NoInfer<E>>
  /** What was typed elsewhere before the dialog was opened: unsaved changes. */
  edited?: Partial<FormDraft<NoInfer<E>>>
  fields: FormControls<NoInfer<E>, F>
  opened: boolean
  onClose: () => void
  onSaved?: (answer: ResponseOf<E>) => void
  /** Arranges the fields; one below the other by default. */
  layout?: (fields: Record<FieldName<E>, ReactNode>) => ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** Shows what saving would change, and returns whether to continue. An error it throws is shown like one of the save. */
  review?: (body: BodyInput<NoInfer<E>>) => Promise<boolean>
  /**
   * Asks whether to save anyway after a refusal, and returns what to send in addition; false if the user declined, null if
   * there was nothing to ask.
   */
  confirm?: (problem: ApiError) => Promise<Partial<BodyInput<NoInfer<E>>> | false | null>
  /** What the button says that saves. */
  saveLabel?: string
  /** Replaces the call's own success message. */
  success?: (answer: ResponseOf<E>) => string
  /** For a call that may return 409 with a newer row: the form then shows both values of a field. */
  conflict?: MergeConflictReader<NoInfer<E>>
}

type MergeConflictReader<E> = {
  /** Returns the form values of the newer row. */
  read: (now: ConflictRow<E>) => FormDraft<E>
  /** Formats a value as text; null where it is empty. */
  shown: (name: string, value: unknown) => string | null
}
