import type { IncomingMessage } from 'node:http'
import { CookieJar } from 'tough-cookie'

/** As browsers limit a cookie. */
const maxCookieLength = 4096

/** The cookies of one request and its redirects. */
export class CookieKeeper {
  /** Few sites set one. */
  #jar: CookieJar | null = null

  /** Returns the header to send to this address; undefined without cookies. */
  read(url: URL): string | undefined {
    return this.#jar?.getCookieStringSync(url.href) || undefined
  }

  keep({ headers }: IncomingMessage, url: URL) {
    for (const cookie of headers['set-cookie'] ?? []) {
      if (cookie.length > maxCookieLength || hasControlCharacter(cookie)) continue
      this.#jar ??= new CookieJar(undefined, { looseMode: true })
      this.#jar.setCookieSync(cookie, url.href, { ignoreError: true })
    }
  }
}

/** Browsers refuse such cookies, and Node refuses to send them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const hasControlCharacter = (text: string) => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)
