/** Names under which statements are prepared. Each takes memory in every connection, so past a number the rest stay unnamed. */
export class StatementNames {
  readonly #most: number
  readonly #names = new Map<string, string>()

  constructor(most: number) {
    this.#most = most
  }

  find(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || this.#names.size >= this.#most) return known
    const name = `s${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }
}
