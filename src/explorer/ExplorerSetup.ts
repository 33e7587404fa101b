/** Settings that the server passes to the explorer. */
export type ExplorerSetup = {
  /** The path below which this service is: empty, or `/` and a name where several networks are served. */
  readonly base: string
  /** Whether the server has an index; without it, only live data is shown. */
  readonly hasIndex: boolean
  /** Whether it is an embedded network, with a faucet and other controls. */
  readonly hasControls: boolean
  /** Whether the server replays transactions at /api/debug/v1. */
  readonly hasDebugger: boolean
  /** Whether the server sends webhooks: /api/webhooks/v1. */
  readonly hasWebhooks: boolean
  /** Whether the server fetches pictures of tokens from other hosts (--metadata). */
  readonly hasImages: boolean
  readonly network: string
  /** Symbol of the native coin (--coin-symbol). */
  readonly unit: string
  readonly version: string
  /** Names of accounts by raw address: the accounts of an embedded network. */
  readonly accounts: { readonly [raw: string]: string }
}
