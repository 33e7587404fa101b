// A table of constants: every TL type and function we use, written down here and nowhere else. Types (tlTypes.ts), readers and
// writers (compileSchema.ts) derive from it.

/*
 * The notation of .tl files, each row led by its constructor id: the CRC-32 of the row without parentheses and semicolon, unless
 * the row states another as `name#id`. A field type whose last part begins with a capital is boxed (its constructor id is on the
 * wire), any other is bare; `vector` is always bare. A type stands above its first use, so no value nests deeper than this table.
 */

/** Types by constructor: ids of blocks, ADNL packets, votes of simplex validators, validator groups, answers of a liteserver. */
export const tlTypeRows = `
b7cdb167 tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId;
6752eb78 tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt;
1d7235ae tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256 = tonNode.ZeroStateIdExt;

dc69fb03 tcp.pong random_id:long = tcp.Pong;
b48bf97a adnl.message.query query_id:int256 query:bytes = adnl.Message;
0fac8416 adnl.message.answer query_id:int256 answer:bytes = adnl.Message;
17f8dfda adnl.message.nop = adnl.Message;

a8e33df8 consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign;
b691cd3f consensus.candidateId slot:int hash:int256 = consensus.CandidateId;
1a4b9af1 consensus.candidateParent id:consensus.CandidateId = consensus.CandidateParent;
22cbcca9 consensus.candidateWithoutParents = consensus.CandidateParent;
e8f9bcdc consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent = consensus.CandidateHashData;
72b4d933 consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData;
cdf605a8 consensus.simplex.notarizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote;
40a7e105 consensus.simplex.finalizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote;

c50b6e70 ton.blockId root_cell_hash:int256 file_hash:int256 = ton.BlockId;
8b9465e4 validator.groupMember public_key_hash:int256 adnl:int256 weight:long = engine.validator.GroupMember;
9843a14d validator.groupNew workchain:int shard:long vertical_seqno:int last_key_block_seqno:int catchain_seqno:int config_hash:int256 members:(vector validator.groupMember) = validator.Group;

bba9e148 liteServer.error code:int message:string = liteServer.Error;
75a0e2c5 liteServer.accountId workchain:int id:int256 = liteServer.AccountId;
8aff2446 liteServer.libraryEntry hash:int256 data:bytes = liteServer.LibraryEntry;
85832881 liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfo;
a8cce0f5 liteServer.masterchainInfoExt mode:# version:int capabilities:long last:tonNode.blockIdExt last_utime:int now:int state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfoExt;
e953000d liteServer.currentTime now:int = liteServer.CurrentTime;
5a0491e5 liteServer.version mode:# version:int capabilities:long now:int = liteServer.Version;
a574ed6c liteServer.blockData id:tonNode.blockIdExt data:bytes = liteServer.BlockData;
abaddc0c liteServer.blockState id:tonNode.blockIdExt root_hash:int256 file_hash:int256 data:bytes = liteServer.BlockState;
752d8219 liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader;
3950e597 liteServer.sendMsgStatus status:int = liteServer.SendMsgStatus;
7079c751 liteServer.accountState id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes proof:bytes state:bytes = liteServer.AccountState;
a39a616b liteServer.runMethodResult mode:# id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:mode.0?bytes proof:mode.0?bytes state_proof:mode.1?bytes init_c7:mode.3?bytes lib_extras:mode.4?bytes exit_code:int result:mode.2?bytes = liteServer.RunMethodResult;
9fe6cd84 liteServer.shardInfo id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes shard_descr:bytes = liteServer.ShardInfo;
098fe72d liteServer.allShardsInfo id:tonNode.blockIdExt proof:bytes data:bytes = liteServer.AllShardsInfo;
0edeed47 liteServer.transactionInfo id:tonNode.blockIdExt proof:bytes transaction:bytes = liteServer.TransactionInfo;
6f26c60b liteServer.transactionList ids:(vector tonNode.blockIdExt) transactions:bytes = liteServer.TransactionList;
ff706385 liteServer.transactionMetadata mode:# depth:int initiator:liteServer.accountId initiator_lt:long = liteServer.TransactionMetadata;
b12f65af liteServer.transactionId#b12f65af mode:# account:mode.0?int256 lt:mode.1?long hash:mode.2?int256 metadata:mode.8?liteServer.transactionMetadata = liteServer.TransactionId;
2c81da77 liteServer.transactionId3 account:int256 lt:long = liteServer.TransactionId3;
bd8cad2b liteServer.blockTransactions id:tonNode.blockIdExt req_count:# incomplete:Bool ids:(vector liteServer.transactionId) proof:bytes = liteServer.BlockTransactions;
fb8ffce4 liteServer.blockTransactionsExt id:tonNode.blockIdExt req_count:# incomplete:Bool transactions:bytes proof:bytes = liteServer.BlockTransactionsExt;
a3def855 liteServer.signature node_id_short:int256 signature:bytes = liteServer.Signature;
f644a6e6 liteServer.signatureSet.ordinary#f644a6e6 validator_set_hash:int catchain_seqno:int signatures:(vector liteServer.signature) = liteServer.SignatureSet;
ac249800 liteServer.signatureSet.simplex cc_seqno:int validator_set_hash:int signatures:(vector liteServer.signature) session_id:int256 slot:int candidate:bytes = liteServer.SignatureSet;
ef7e1bef liteServer.blockLinkBack to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes proof:bytes state_proof:bytes = liteServer.BlockLink;
520fce1c liteServer.blockLinkForward to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes config_proof:bytes signatures:liteServer.SignatureSet = liteServer.BlockLink;
8ed0d2c1 liteServer.partialBlockProof complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:(vector liteServer.BlockLink) = liteServer.PartialBlockProof;
ae7b272f liteServer.configInfo mode:# id:tonNode.blockIdExt state_proof:bytes config_proof:bytes = liteServer.ConfigInfo;
b9f796d8 liteServer.validatorStats mode:# id:tonNode.blockIdExt count:int complete:Bool state_proof:bytes data_proof:bytes = liteServer.ValidatorStats;
117ab96b liteServer.libraryResult result:(vector liteServer.libraryEntry) = liteServer.LibraryResult;
10a927bf liteServer.libraryResultWithProof id:tonNode.blockIdExt mode:# result:(vector liteServer.libraryEntry) state_proof:bytes data_proof:bytes = liteServer.LibraryResultWithProof;
d30dcf72 liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink;
1d62a07a liteServer.shardBlockProof masterchain_id:tonNode.blockIdExt links:(vector liteServer.shardBlockLink) = liteServer.ShardBlockProof;
99786be7 liteServer.lookupBlockResult id:tonNode.blockIdExt mode:# mc_block_id:tonNode.blockIdExt client_mc_state_proof:bytes mc_block_proof:bytes shard_links:(vector liteServer.shardBlockLink) header:bytes prev_header:bytes = liteServer.LookupBlockResult;
a7c64c85 liteServer.outMsgQueueSize id:tonNode.blockIdExt size:int = liteServer.OutMsgQueueSize;
f8504a03 liteServer.outMsgQueueSizes shards:(vector liteServer.outMsgQueueSize) ext_msg_queue_size_limit:int = liteServer.OutMsgQueueSizes;
8acdbe1b liteServer.blockOutMsgQueueSize mode:# id:tonNode.blockIdExt size:long proof:mode.0?bytes = liteServer.BlockOutMsgQueueSize;
9b52aabb liteServer.accountDispatchQueueInfo addr:int256 size:long min_lt:long max_lt:long = liteServer.AccountDispatchQueueInfo;
5d1132d0 liteServer.dispatchQueueInfo mode:# id:tonNode.blockIdExt account_dispatch_queues:(vector liteServer.accountDispatchQueueInfo) complete:Bool proof:mode.0?bytes = liteServer.DispatchQueueInfo;
84c423ea liteServer.dispatchQueueMessage addr:int256 lt:long hash:int256 metadata:liteServer.transactionMetadata = liteServer.DispatchQueueMessage;
4b407931 liteServer.dispatchQueueMessages mode:# id:tonNode.blockIdExt messages:(vector liteServer.dispatchQueueMessage) complete:Bool proof:mode.0?bytes messages_boc:mode.2?bytes = liteServer.DispatchQueueMessages;
1fd06e4d liteServer.nonfinal.pendingShardBlocks signed_blocks:(vector tonNode.blockIdExt) candidates:(vector tonNode.blockIdExt) = liteServer.nonfinal.PendingShardBlocks;
` as const

/** Functions. A liteserver may answer any of its own with `liteServer.error`. */
export const tlFunctionRows = `
4d082b9a tcp.ping random_id:long = tcp.Pong;
89b5e62e liteServer.getMasterchainInfo = liteServer.MasterchainInfo;
70a671df liteServer.getMasterchainInfoExt mode:# = liteServer.MasterchainInfoExt;
16ad5a34 liteServer.getTime = liteServer.CurrentTime;
232b940b liteServer.getVersion = liteServer.Version;
6377cf0d liteServer.getBlock id:tonNode.blockIdExt = liteServer.BlockData;
ba6e2eb6 liteServer.getState id:tonNode.blockIdExt = liteServer.BlockState;
21ec069e liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader;
690ad482 liteServer.sendMessage body:bytes = liteServer.SendMsgStatus;
6b890e25 liteServer.getAccountState id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState;
5a698507 liteServer.getAccountStatePrunned id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState;
5cc65dd2 liteServer.runSmcMethod mode:# id:tonNode.blockIdExt account:liteServer.accountId method_id:long params:bytes = liteServer.RunMethodResult;
46a2f425 liteServer.getShardInfo id:tonNode.blockIdExt workchain:int shard:long exact:Bool = liteServer.ShardInfo;
74d3fd6b liteServer.getAllShardsInfo id:tonNode.blockIdExt = liteServer.AllShardsInfo;
d40f24ea liteServer.getOneTransaction id:tonNode.blockIdExt account:liteServer.accountId lt:long = liteServer.TransactionInfo;
1c40e7a1 liteServer.getTransactions count:# account:liteServer.accountId lt:long hash:int256 = liteServer.TransactionList;
fac8f71e liteServer.lookupBlock mode:# id:tonNode.blockId lt:mode.1?long utime:mode.2?int = liteServer.BlockHeader;
9c045ff8 liteServer.lookupBlockWithProof mode:# id:tonNode.blockId mc_block_id:tonNode.blockIdExt lt:mode.1?long utime:mode.2?int = liteServer.LookupBlockResult;
adfcc7da liteServer.listBlockTransactions id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactions;
0079dd5c liteServer.listBlockTransactionsExt id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactionsExt;
8aea9c44 liteServer.getBlockProof mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt = liteServer.PartialBlockProof;
911b26b7 liteServer.getConfigAll mode:# id:tonNode.blockIdExt = liteServer.ConfigInfo;
2a111c19 liteServer.getConfigParams mode:# id:tonNode.blockIdExt param_list:(vector int) = liteServer.ConfigInfo;
091a58bc liteServer.getValidatorStats#091a58bc mode:# id:tonNode.blockIdExt limit:int start_after:mode.0?int256 modified_after:mode.2?int = liteServer.ValidatorStats;
d122b662 liteServer.getLibraries library_list:(vector int256) = liteServer.LibraryResult;
d97693bd liteServer.getLibrariesWithProof id:tonNode.blockIdExt mode:# library_list:(vector int256) = liteServer.LibraryResultWithProof;
4ca60350 liteServer.getShardBlockProof id:tonNode.blockIdExt = liteServer.ShardBlockProof;
7bc19c36 liteServer.getOutMsgQueueSizes mode:# wc:mode.0?int shard:mode.0?long = liteServer.OutMsgQueueSizes;
8f6c7779 liteServer.getBlockOutMsgQueueSize mode:# id:tonNode.blockIdExt want_proof:mode.0?true = liteServer.BlockOutMsgQueueSize;
01e66bf3 liteServer.getDispatchQueueInfo mode:# id:tonNode.blockIdExt after_addr:mode.1?int256 max_accounts:int want_proof:mode.0?true = liteServer.DispatchQueueInfo;
bbfd6439 liteServer.getDispatchQueueMessages mode:# id:tonNode.blockIdExt addr:int256 after_lt:long max_messages:int want_proof:mode.0?true one_account:mode.1?true messages_boc:mode.2?true = liteServer.DispatchQueueMessages;
5a8ee82c liteServer.nonfinal.getPendingShardBlocks mode:# wc:mode.0?int shard:mode.0?long = liteServer.nonfinal.PendingShardBlocks;
72d3e686 liteServer.queryPrefix = Object;
798c06df liteServer.query data:bytes = Object;
baeab892 liteServer.waitMasterchainSeqno seqno:int timeout_ms:int = Object;
` as const
