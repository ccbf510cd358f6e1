import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { ApiError, addressOf, type Input, refusal } from './api.ts'
import { sessionToken } from './session-token.ts'

type Progress = {
  /** How much of it has gone out, from 0 to 1. */
  tell: (part: number) => void
  signal: AbortSignal
}

/** Sends a file as multipart form data. `fetch` does not say how far it is, so this is the older way. Rejects with an `ApiError`. */
export function upload<E extends Endpoint>(
  endpoint: E,
  file: File,
  { tell, signal }: Progress,
  input?: Input<E>,
): Promise<AnswerOf<E>> {
  const form = new FormData()
  form.set('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = () => reject(new ApiError(0, 'Network Error'))
    request.open(endpoint.method, addressOf(endpoint, input))
    request.setRequestHeader('accept', 'application/json')
    const token = sessionToken()
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0)
    request.onerror = fail
    request.onabort = fail
    request.onload = () => {
      const answer = new Response(request.responseText, { status: request.status })
      // The server's tests hold every answer against this very contract, as in `call`.
      if (answer.ok) void answer.json().then((body) => resolve(body as AnswerOf<E>), fail)
      else void refusal(answer).then(reject)
    }
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
