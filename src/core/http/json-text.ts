/** A response that is JSON already, such as one that PostgreSQL has built; sent unchanged. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
