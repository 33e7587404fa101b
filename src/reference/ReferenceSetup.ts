/** What the server tells the page of the reference. */
export type ReferenceSetup = {
  /** The path below which this service is: empty, or `/` and a name where several networks are served. */
  readonly base: string
  readonly version: string
  /** The spelling of names in the descriptions. */
  readonly dialect: 'chain' | 'ton'
  /** Whether both dialects are served. */
  readonly hasBoth: boolean
  readonly documents: readonly DocumentLink[]
}

/** An interface, and where its description is. */
export type DocumentLink = { readonly name: string; readonly url: string }
