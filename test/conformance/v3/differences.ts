/** A way in which we answer, or describe what we answer, otherwise than was published or recorded, on purpose. */
export type Difference = {
  /** The lines of a comparison that it explains. */
  readonly lines: RegExp
  /** Why, with the section of the contract that says so. */
  readonly reason: string
}

/** Where our description does not keep what the published one promises. */
export const descriptionDifferences: readonly Difference[] = [
  {
    lines: /^get \/balanceChanges: missing$/,
    reason: 'Appendix A: internal and undocumented; it is none of the 36 endpoints.',
  },
  {
    lines: /\? (start_|end_)?lt: (type is integer, ours string|minimum is 0, ours undefined)$/,
    reason: '1.4: unsigned, 64 bits. JSON numbers of many clients do not hold that; digits do.',
  },
  {
    lines: /\? header X-Actions-Version: missing$/,
    reason: '1.2: served everywhere, as all headers are; our descriptions tell of queries and bodies only.',
  },
  {
    lines: /\/transfers \? direction: enum is \["in","out"\], ours \["in","out","both"\]$/,
    reason: '3.4: both is the same as not given.',
  },
  {
    lines:
      /^(get \/(addressInformation|account|walletInformation|wallet)|post \/(message|runGetMethod)) \? \w+: required/,
    reason: '1.7: what is missing here is answered with 401, by the endpoint itself and not as a bad parameter.',
  },
  {
    lines: /^post \/runGetMethod: status 501 is missing$/,
    reason: '1.7: for a live service that answers in an unexpected shape; ours is in the same process.',
  },
  {
    lines: /^Transaction\.account_state_(before|after)\.(data|code)_boc: missing$/,
    reason: '7.2: declared, and never filled.',
  },
  {
    lines: /^TraceNode\.(transaction|in_msg): missing$/,
    reason: '3.2: nodes have hashes; the transactions stand beside the tree.',
  },
  {
    lines: /^JettonWallet\.mintless_info: missing$/,
    reason: '3.4: unclaimed amounts are loaded by a job outside of the original; they are not in the chain.',
  },
  {
    lines:
      /^(WalletState\.wallet_type|NFTSale\.type|OrderAction\.parsed_body_type): is one of [0-9]+ words, ours any text$/,
    reason: 'The words are those of tables of contracts; answers are held against the published ones.',
  },
]

/** What our description has beyond the published one. */
export const descriptionAdditions: readonly Difference[] = [
  {
    lines: / \? cursor: additional$/,
    reason: 'Issue 8: pages at constant cost, by opt-in.',
  },
  {
    lines: / \? x_(no_address_book|no_metadata|timeout): additional$/,
    reason: '1.2: the options hold for every question, whether they bear on it or not.',
  },
  {
    lines:
      /^get \/(messages \? hash|transactionsByMessage \? (source|destination|sort)|masterchainBlockShards \? sort): /,
    reason: '3.3: taken by the original, and undocumented there.',
  },
  {
    lines: /^get \/(jetton|nft)\/transfers \? address: additional$/,
    reason: '3.4, 3.5: another name for an owner, undocumented in the original.',
  },
]
