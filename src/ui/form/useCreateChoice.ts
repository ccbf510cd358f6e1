import { useState } from 'react'
import type { BodyInput, Endpoint } from '#contract/endpoint.ts'
import type { CallArgs } from '../data/api.ts'
import { usePerson } from '../data/person.ts'
import { useAction } from '../data/useAction.ts'
import type { SelectChoice } from '../filters/select-choice.ts'

/** A call that creates a record that other forms pick, and returns it. */
type NamedEndpoint = Endpoint & { response: { _zod: { output: { id: number; name: string } } } }

/**
 * Lets a user create a choice in the field where it is picked. `create` is undefined for users who may not; `made` are the new
 * choices, until the list of choices has them too.
 */
export function useCreateChoice<E extends NamedEndpoint>(endpoint: E, toBody: (name: string) => BodyInput<E>) {
  const mayCreate = endpoint.allow(usePerson().subject)
  const [made, setMade] = useState<SelectChoice<number>[]>([])
  const { run } = useAction<NamedEndpoint>(endpoint)
  const create = async (name: string) => {
    // The call takes only a body, which `toBody` types.
    const outcome = await run(...([{ body: toBody(name) }] as unknown as CallArgs<NamedEndpoint>))
    if (!outcome.done) return null
    const { id, name: label } = outcome.answer
    setMade((before) => [...before, { value: id, label }])
    return id
  }
  return { create: mayCreate ? create : undefined, made }
}
