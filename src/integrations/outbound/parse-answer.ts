import type { z } from 'zod'

/** A service answered with something else than it documents. The message is for users. */
export class UnexpectedAnswerError extends Error {
  constructor(service: string, cause?: unknown) {
    super(`${service}’s answer could not be understood`, { cause })
  }
}

/** Returns the parsed answer of a service; throws `UnexpectedAnswerError` if it does not have this shape. */
export function parseAnswer<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw new UnexpectedAnswerError(service, parsed.error)
  return parsed.data
}
