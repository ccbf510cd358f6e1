type KeySet = { keys: { kid?: unknown }[] }

/** Milliseconds between two looks for keys that were not listed. */
const lookAgainAfter = 60_000

/**
 * The provider's keys. A key that was seen is looked up again at each sign-in, so that one that is no longer listed is refused; for
 * one that was not, the list is fetched at most once a minute, whatever tokens name.
 */
export class KeyList {
  #last: KeySet | null = null
  #lookedAt = Number.NEGATIVE_INFINITY

  /** Returns the list in which to look for the key. */
  async read(kid: unknown, fetchList: () => Promise<Response>): Promise<Response> {
    const isListed = () => this.#last?.keys.some((key) => key.kid === kid) ?? false
    const isNew = this.#last !== null && !isListed()
    if (isNew && Date.now() - this.#lookedAt < lookAgainAfter) return Response.json(this.#last)
    if (isNew) this.#lookedAt = Date.now()
    const response = await fetchList()
    if (!response.ok) return response
    const list = (await response.clone().json()) as KeySet // the library checks what it is
    this.#last = Array.isArray(list?.keys) ? list : { keys: [] }
    if (!isListed()) this.#lookedAt = Date.now()
    return response
  }
}
