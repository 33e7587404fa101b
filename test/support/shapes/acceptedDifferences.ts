/** Differences under their reason. */
type Reasons = Readonly<Record<string, readonly string[]>>

export type AcceptedDifferences = {
  /** How the networks are set up: these must be there, and one that is no more has to be taken from the list. */
  readonly bySetup: Reasons
  /** What happened to happen in one chain and not in the other: these may be there. */
  readonly byTraffic: Reasons
}

/** Between blocks, states and all in them. */
export const acceptedBlocks: AcceptedDifferences = {
  bySetup: {
    'Ours has no capability 256: no message is deferred.': [
      'InMsg deferredFinal in the basechain (only recorded: all of it)',
      'InMsg deferredTransit in the basechain (only recorded: all of it)',
      'InMsg final in the basechain: <final>.inMsg.emittedLt (only recorded: bigint)',
      'OutMsg deferredTransit in the basechain (only recorded: all of it)',
      'OutMsg newDeferred in the basechain (only recorded: all of it)',
      'state of the basechain: <unsplit>.outMsgQueueInfo.extra.dispatchQueue (only recorded: dictionary)',
    ],
    'Our validator has an ADNL address, as clients that check every proof expect.': [
      'configuration: parameter 34.list{}.adnlAddress (only recorded: absent; only ours: 32 bytes)',
    ],
    'Ours has no parameter 30, so its blocks are signed in the way that all clients know.': [
      'configuration: parameter 30 (only recorded: object)',
      'signatures (only recorded: simplex; only ours: ordinary)',
    ],
    'Ours says its id, its limits of size and that it burns nothing in its configuration.': [
      'configuration: parameter 5 (only ours: object)',
      'configuration: parameter 19 (only ours: number)',
      'configuration: parameter 43 (only ours: object)',
    ],
    'Ours makes a block of every shard in every step, so every masterchain block has fees of shards.': [
      'block of the masterchain: master.shardFees (only recorded: empty dictionary)',
    ],
    'The recorded network mints its currencies in block 1 and plans to split its basechain there; ours does so later, if told to.':
      [
        'block of the masterchain, first: flow.minted.extra (only recorded: dictionary; only ours: empty dictionary)',
        'block of the masterchain, first: flow.toNextBlk.extra (only recorded: dictionary; only ours: empty dictionary)',
        'block of the masterchain, first: master.mintMsg (only recorded: immediate; only ours: absent)',
        'block of the masterchain, first: master.shardHashes[].descr.splitMergeAt (only recorded: split; only ours: none)',
        'block of the masterchain: flow.fromPrevBlk.extra (only ours: empty dictionary)',
        'block of the masterchain: flow.minted.extra (only ours: dictionary)',
        'block of the masterchain: master.mintMsg (only ours: immediate)',
        'block of the masterchain, key: flow.fromPrevBlk.extra (only ours: empty dictionary)',
        'block of the masterchain, key: flow.toNextBlk.extra (only ours: empty dictionary)',
        'block of the masterchain, key: master.shardHashes[].descr.splitMergeAt (only ours: none)',
        'configuration: parameter 7 (only ours: empty dictionary)',
        'state of the masterchain: <unsplit>.accounts.balance.extra (only ours: empty dictionary)',
        'state of the masterchain: <unsplit>.custom.globalBalance.extra (only ours: empty dictionary)',
        'state of the masterchain: <unsplit>.totals.totalBalance.extra (only ours: empty dictionary)',
      ],
    'A special contract of the recorded network sends messages at every block, from the first on; ours has none like it.':
      [
        'state of the masterchain: <unsplit>.outMsgQueueInfo.procInfo (only ours: empty dictionary)',
        'transaction tick_tock in the masterchain: description<tick_tock>.action.resultArg (only recorded: number)',
        'transaction tick_tock in the masterchain: outMsgs (only recorded: dictionary)',
      ],
  },
  byTraffic: {
    'On the recorded network no ordinary contract of the basechain sent anything to the outside.': [
      'OutMsg external in the basechain (only ours: all of it)',
    ],
    'On the recorded network nobody sent money to a masterchain address without a contract.': [
      'account uninit in the masterchain (only ours: all of it)',
    ],
    'The recorded network split once before it had any currencies; ours had them before.': [
      'block of the basechain, before a split: flow.fromPrevBlk.extra (only recorded: empty dictionary)',
      'block of the basechain, before a split: flow.toNextBlk.extra (only recorded: empty dictionary)',
    ],
    'Senders are free to put the body of a message into a cell of its own.': [
      'message externalIn: body (only ours: cell)',
    ],
    'On ours messages with too little money were sent on purpose.': [
      'transaction ord in the basechain: description<ord>.bounce (only ours: nofunds)',
      "transaction ord in the basechain: description<ord>.computePhase<skipped>.reason (only ours: 'no_gas')",
      'transaction ord in the masterchain: description<ord>.bounce (only ours: nofunds)',
      "transaction ord in the masterchain: description<ord>.computePhase<skipped>.reason (only ours: 'no_gas')",
    ],
  },
}

const bySignatures = (pair: string): string =>
  `${pair}: steps[]<liteServer.blockLinkForward>.signatures (only recorded: liteServer.signatureSet.simplex; only ours: liteServer.signatureSet.ordinary)`

/** Between the answers of a liteserver. */
export const acceptedAnswers: AcceptedDifferences = {
  bySetup: {
    'Ours has no parameter 30, so its blocks are signed in the way that all clients know.': [
      bySignatures('087-getBlockProof-forward'),
      bySignatures('088-getBlockProof-from-zerostate'),
      bySignatures('090-getBlockProof-latest'),
      bySignatures('091-getBlockProof-base-trust'),
      bySignatures('095-getBlockProof-from-key-block'),
      bySignatures('096-getBlockProof-across-key-blocks'),
    ],
    'Ours has no capability 256: no message is deferred.': [
      '122-getDispatchQueueInfo-nonempty: accountDispatchQueues (only recorded: list; only ours: empty list)',
      '123-getDispatchQueueMessages-nonempty: messages (only recorded: list; only ours: empty list)',
      "123-getDispatchQueueMessages-nonempty: messagesBoc (only recorded: 'a cell'; only ours: 'no bytes')",
      '124-getDispatchQueueMessages-one-account: messages (only recorded: list; only ours: empty list)',
      '126-getDispatchQueueInfo-nonempty: accountDispatchQueues (only recorded: list; only ours: empty list)',
      '127-getDispatchQueueMessages-nonempty: messages (only recorded: list; only ours: empty list)',
      "127-getDispatchQueueMessages-nonempty: messagesBoc (only recorded: 'a cell'; only ours: 'no bytes')",
      '128-getDispatchQueueMessages-one-account: messages (only recorded: list; only ours: empty list)',
    ],
    'In ours the masterchain block names the merged block itself; in the recorded one it names the block after it.': [
      "099-getShardBlockProof-after-merge: links[].proof (only recorded: 'proof of a block with info')",
    ],
  },
  byTraffic: {},
}
