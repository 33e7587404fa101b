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
    reason: 'Appendix A: internal and undocumented; not one of the 36 endpoints.',
  },
  {
    lines: /\? (start_|end_)?lt: (type is integer, ours string|minimum is 0, ours undefined)$/,
    reason: '1.4: unsigned 64-bit integers do not fit JSON numbers of many clients; decimal text does.',
  },
  {
    lines: /\/transfers \? direction: enum is \["in","out"\], ours \["in","out","both"\]$/,
    reason: '3.4: both means no filter.',
  },
  {
    lines:
      /^(get \/(addressInformation|account|walletInformation|wallet)|post \/(message|runGetMethod)) \? \w+: required/,
    reason: '1.7: a missing parameter is 401 here, by the endpoint itself, not a validation error.',
  },
  {
    lines: /^post \/\w+ \? \w+: type is \w+, ours (\w+ or )*null( or \w+)*$/,
    reason: 'In a body, null means absent.',
  },
  {
    lines: /^post \/runGetMethod: status 501 is missing$/,
    reason: '1.7: 501 is for a remote v2 service with an unexpected answer; ours is in the same process.',
  },
  {
    lines: /^Transaction\.account_state_(before|after)\.(data|code)_boc: missing$/,
    reason: '7.2: declared, but never set.',
  },
  {
    lines: /^TraceNode\.(transaction|in_msg): missing$/,
    reason: '3.2: tree nodes have hashes; the transactions are beside the tree.',
  },
  {
    lines: /^JettonWallet\.mintless_info: missing$/,
    reason: '3.4: unclaimed amounts come from an external job of the original; they are not on the chain.',
  },
  {
    lines:
      /^(WalletState\.wallet_type|NFTSale\.type|OrderAction\.parsed_body_type): is one of [0-9]+ words, ours any text$/,
    reason: 'The values come from our contract tables; tests compare them with the published list.',
  },
]

/** What our description has beyond the published one. */
export const descriptionAdditions: readonly Difference[] = [
  {
    lines: / \? cursor: additional$/,
    reason: 'Issue 8: keyset pagination, opt-in.',
  },
  {
    lines: / \? header X-Seen-Seqno: additional$/,
    reason: 'Issue 26: the newest block that a caller has seen, so that it never goes back in time; opt-in.',
  },
  {
    lines: / \? x_(no_address_book|no_metadata|timeout): additional$/,
    reason: '1.2: every endpoint accepts these options, even without effect.',
  },
  {
    lines:
      /^get \/(messages \? hash|transactionsByMessage \? (source|destination|sort)|masterchainBlockShards \? sort): /,
    reason: '3.3: accepted by the original, but undocumented.',
  },
  {
    lines: /^get \/(jetton|nft)\/transfers \? address: additional$/,
    reason: '3.4, 3.5: another name of the owner filter, undocumented in the original.',
  },
  {
    lines: /^post \/sendAndWait: additional$/,
    reason: 'Issue 24: sends a message and tells what became of it.',
  },
  {
    lines: /^get \/changes: additional$/,
    reason: 'Issue 24: a log of changes to poll.',
  },
  {
    lines: /^get \/(jetton\/stats|nft\/collectionStats): additional$/,
    reason: 'Issue 25: counts that lists do not give: holders, owners, current sales and their floor.',
  },
  {
    lines: /^get \/accountBalances: additional$/,
    reason: 'Issue 25: balance of an account over time.',
  },
  {
    lines: /^get \/accountsByCode: additional$/,
    reason: 'Issue 25: accounts with the same code.',
  },
]

/** Recorded answers of services that are not this interface. */
export const notServed: ReadonlyMap<string, string> = new Map([
  ['/api/emulate/v1/emulateTrace', 'Appendix A: a separate service that emulates unsent messages.'],
])

/** Where our answers have another shape than recorded ones. */
export const shapeDifferences: readonly Difference[] = [
  {
    lines: /^traces\.traces\[\]\.external_hash: recorded hash as base64 or word, ours null$/,
    reason: '3.2: null for tick-tock transactions; none was recorded.',
  },
  {
    lines: /^Action\.details\{\w+\}\.comment: recorded null, ours text$/,
    reason: 'The recordings have no comment.',
  },
  {
    lines: /^Action\.finality: not recorded, ours word$/,
    reason: '3.2, 7.3: newer than the recordings.',
  },
  {
    lines: /^Transaction\.trace_external_hash: not recorded, ours hash as base64$/,
    reason:
      '2.3 [R]: the original sets it on pending transactions only, we set it on every trace that began with an external-in message.',
  },
  {
    lines: /^Message\{from outside\}\.init_state: recorded null, ours object$/,
    reason: '2.2: present if the message carries one; no recorded message does.',
  },
  {
    lines: /decoded\{wallet_signed_v4\}\..*\.cell_reference: recorded object, ours text$/,
    reason: '2.2: a cell without a known layout is a BOC; the recorded cells have known layouts.',
  },
  {
    lines: /decoded\{\w+\}\.(type|data): recorded (text|object), ours none$/,
    reason: '2.2: an older form with one more level; the newer one was recorded, too, and is ours.',
  },
  {
    lines: /^Action\.details\{nft_transfer\}\.(payout|royalty)_(amount|address): recorded .*, ours null$/,
    reason: 'The demo network has no purchase.',
  },
  {
    lines: /^Action\.details\{nft_transfer\}\.price: recorded decimal digits, ours none$/,
    reason: 'Set for purchases only.',
  },
  {
    lines: /token_info\[\]\{\w+\}\.is_(nsfw|scam): not recorded, ours boolean$/,
    reason: '1.10, 7.3: newer than the recordings.',
  },
  {
    lines:
      /^jetton\/transfers\.(address_book|metadata|jetton_transfers\[\]\.(transaction_aborted|trace_id|decoded_\w+)): not recorded/,
    reason: '3.4: the one recorded answer is older than these members, or was shortened.',
  },
  {
    lines: /^jetton\/transfers\.jetton_transfers\[\]\.(custom_payload|forward_payload|forward_ton_amount): recorded/,
    reason: '3.4: depends on the transfer; one was recorded.',
  },
  {
    lines: /^dns\/records\.records\[\]\.(nft_item|dns)_\w+: not recorded/,
    reason: '3.6: the one recorded answer was shortened.',
  },
  {
    lines: /compute_ph\{computed\}\.exit_arg: recorded integer, ours none$/,
    reason: '2.4: present if a contract throws with an argument; the demo contracts do not.',
  },
]
