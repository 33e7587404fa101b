/** What a table takes, with all its partitions. */
export type TableStatus = {
  readonly name: string
  /** As the server estimates it; exact where it has just been analysed. */
  readonly rows: number
  readonly bytes: number
  readonly indexBytes: number
  readonly partitions: number
}
