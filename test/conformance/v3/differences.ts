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
    lines: /\/transfers \? direction: enum is \["in","out"\], ours \["in","out","both"\]$/,
    reason: '3.4: both is the same as not given.',
  },
  {
    lines:
      /^(get \/(addressInformation|account|walletInformation|wallet)|post \/(message|runGetMethod)) \? \w+: required/,
    reason: '1.7: what is missing here is answered with 401, by the endpoint itself and not as a bad parameter.',
  },
  {
    lines: /^post \/\w+ \? \w+: type is \w+, ours (\w+ or )*null( or \w+)*$/,
    reason: 'In a body, a null says the same as nothing.',
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

/** Recorded answers of services that are not this interface. */
export const notServed: ReadonlyMap<string, string> = new Map([
  ['/api/emulate/v1/emulateTrace', 'Appendix A: a service of its own, which emulates what has not been sent.'],
])

/** Where our answers have another shape than recorded ones. */
export const shapeDifferences: readonly Difference[] = [
  {
    lines: /^traces\.traces\[\]\.external_hash: recorded hash as base64 or word, ours null$/,
    reason: '3.2: null for ticks and tocks, of which none was recorded.',
  },
  {
    lines: /^Action\.details\{\w+\}\.comment: recorded null, ours text$/,
    reason: 'Nobody wrote a comment in what was recorded.',
  },
  {
    lines: /^Action\.finality: not recorded, ours word$/,
    reason: '3.2, 7.3: newer than the recordings.',
  },
  {
    lines: /^Transaction\.trace_external_hash: not recorded, ours hash as base64$/,
    reason: '2.3 [R]: the original sets it on pending transactions only, we do wherever a trace began outside.',
  },
  {
    lines: /^Message\{from outside\}\.init_state: recorded null, ours object$/,
    reason: '2.2: there if the message carries one, as none of the recorded ones does.',
  },
  {
    lines: /decoded\{wallet_signed_v4\}\..*\.cell_reference: recorded object, ours text$/,
    reason: '2.2: a cell that means nothing by itself is a bag of cells; the recorded ones mean something.',
  },
  {
    lines: /decoded\{\w+\}\.(type|data): recorded (text|object), ours none$/,
    reason:
      '2.2: an older form, with the members one level deeper; the newer one was recorded, too, and is the one we have.',
  },
  {
    lines: /^Action\.details\{nft_transfer\}\.(payout|royalty)_(amount|address): recorded .*, ours null$/,
    reason: 'Nobody buys an item in the demonstration.',
  },
  {
    lines: /^Action\.details\{nft_transfer\}\.price: recorded decimal digits, ours none$/,
    reason: 'For purchases only, as the rules of actions have it.',
  },
  {
    lines: /token_info\[\]\{\w+\}\.is_(nsfw|scam): not recorded, ours boolean$/,
    reason: '1.10, 7.3: newer than the recordings.',
  },
  {
    lines:
      /^jetton\/transfers\.(address_book|metadata|jetton_transfers\[\]\.(transaction_aborted|trace_id|decoded_\w+)): not recorded/,
    reason: '3.4: the one recorded answer is older than these members, or was cut for the test that it comes from.',
  },
  {
    lines: /^jetton\/transfers\.jetton_transfers\[\]\.(custom_payload|forward_payload|forward_ton_amount): recorded/,
    reason: '3.4: null or not as the transfer has it; one transfer was recorded.',
  },
  {
    lines: /^dns\/records\.records\[\]\.(nft_item|dns)_\w+: not recorded/,
    reason: '3.6: the one recorded answer was cut for the test that it comes from.',
  },
  {
    lines: /compute_ph\{computed\}\.exit_arg: recorded integer, ours none$/,
    reason: '2.4: there if a contract gives one up with its exit code; none of the demonstration does.',
  },
]
