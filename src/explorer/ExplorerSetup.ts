/** What the server tells the explorer when it begins. */
export type ExplorerSetup = {
  /** Whether there is an index to ask; without it only what is live can be shown. */
  readonly hasIndex: boolean
  /** Whether it is an embedded network, with a faucet and other controls. */
  readonly hasControls: boolean
  readonly network: string
  /** What an amount of coins is followed by. */
  readonly unit: string
  readonly version: string
}
