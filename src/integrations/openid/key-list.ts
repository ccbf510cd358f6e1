type KeySet = { keys: { kid?: unknown }[] }

/** The minimum interval, in milliseconds, between two lookups of unknown keys. */
const lookupIntervalMs = 60_000

/**
 * The provider's keys. For a known key the list is fetched at each sign-in, so that a key that is no longer listed is refused; for
 * unknown ones it is fetched at most once a minute, whatever keys tokens name.
 */
export class KeyList {
  #last: KeySet | null = null
  #lookedUpAt = Number.NEGATIVE_INFINITY

  /** Returns the list in which to find the key. */
  async read(kid: unknown, fetchList: () => Promise<Response>): Promise<Response> {
    const isListed = () => this.#last?.keys.some((key) => key.kid === kid) ?? false
    const isNew = this.#last !== null && !isListed()
    if (isNew && Date.now() - this.#lookedUpAt < lookupIntervalMs) return Response.json(this.#last)
    if (isNew) this.#lookedUpAt = Date.now()
    const response = await fetchList()
    if (!response.ok) return response
    const list = (await response.clone().json()) as KeySet // validated by the library
    this.#last = Array.isArray(list?.keys) ? list : { keys: [] }
    if (!isListed()) this.#lookedUpAt = Date.now()
    return response
  }
}
