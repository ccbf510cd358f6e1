import { useState } from 'react'
import type { BodyInput, Endpoint } from '#contract/endpoint.ts'
import type { CallArgs } from '../data/api.ts'
import { usePerson } from '../data/person.ts'
import { useAction } from '../data/useAction.ts'
import type { SelectChoice } from '../filters/select-choice.ts'

/** A call that makes a thing which is picked elsewhere, and answers it. */
type NamedEndpoint = Endpoint & { response: { _zod: { output: { id: number; name: string } } } }

/**
 * Makes a choice where it is chosen. `create` is undefined for those who may not; `made` are the new choices, until the
 * list of choices has them too.
 */
export function useCreateChoice<E extends NamedEndpoint>(endpoint: E, toBody: (name: string) => BodyInput<E>) {
  const mayCreate = endpoint.allow(usePerson().subject)
  const [made, setMade] = useState<SelectChoice<number>[]>([])
  const { run } = useAction<NamedEndpoint>(endpoint)
  const create = async (name: string) => {
    // The body is the endpoint's own, and it takes nothing else.
    const outcome = await run(...([{ body: toBody(name) }] as unknown as CallArgs<NamedEndpoint>))
    if (!outcome.done) return null
    const { id, name: label } = outcome.answer
    setMade((before) => [...before, { value: id, label }])
    return id
  }
  return { create: mayCreate ? create : undefined, made }
}
