/** What the server tells the page of the reference. */
export type ReferenceSetup = {
  readonly version: string
  readonly documents: readonly DocumentLink[]
}

/** An interface, and where its description is. */
export type DocumentLink = { readonly name: string; readonly url: string }
