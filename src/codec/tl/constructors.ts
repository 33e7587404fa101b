// A table of constants: every TL type we speak, written down here and nowhere else. After a change run scripts/genTl.ts.

/** One generated file. `schema` is in the notation of .tl files, each line led by the constructor id it must have. */
export type TlSection = { readonly file: string; readonly about: string; readonly schema: string }

/**
 * The id is the CRC-32 of the line without parentheses and semicolon; an explicit `name#id` overrules it. A field type
 * whose last part begins with a capital is boxed (its constructor id is on the wire), any other is bare; `vector` is
 * always bare. A type is used only after it is defined, so no value nests deeper than this table does, and no generated
 * file imports a later one.
 */
export const tlSections: readonly TlSection[] = [
  {
    file: 'tonNode',
    about: 'Ids of blocks, zerostates and shards.',
    schema: `
b7cdb167 tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId;
6752eb78 tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt;
1d7235ae tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256 = tonNode.ZeroStateIdExt;
28fa0877 tonNode.shardId workchain:int shard:long = tonNode.ShardId;
`,
  },
  {
    file: 'keys',
    about: 'Keys and the short id made from one.',
    schema: `
49682317 pk.ed25519 key:int256 = PrivateKey;
b61f450a pub.unenc data:bytes = PublicKey;
4813b4c6 pub.ed25519 key:int256 = PublicKey;
2dbcadd4 pub.aes key:int256 = PublicKey;
34ba45cb pub.overlay name:bytes = PublicKey;
3e3f654f adnl.id.short id:int256 = adnl.id.Short;
`,
  },
  {
    file: 'adnl',
    about: 'What travels in ADNL packets, over TCP and between nodes.',
    schema: `
dc69fb03 tcp.pong random_id:long = tcp.Pong;
445bab12 tcp.authentificate nonce:bytes = tcp.Message;
e35d4ab6 tcp.authentificationNonce nonce:bytes = tcp.Message;
f7ad9ea6 tcp.authentificationComplete key:PublicKey signature:bytes = tcp.Message;
b48bf97a adnl.message.query query_id:int256 query:bytes = adnl.Message;
0fac8416 adnl.message.answer query_id:int256 answer:bytes = adnl.Message;
e673c3bb adnl.message.createChannel key:int256 date:int = adnl.Message;
60dd1d69 adnl.message.confirmChannel key:int256 peer_key:int256 date:int = adnl.Message;
204818f5 adnl.message.custom data:bytes = adnl.Message;
17f8dfda adnl.message.nop = adnl.Message;
10c20520 adnl.message.reinit date:int = adnl.Message;
fd452d39 adnl.message.part hash:int256 total_size:int offset:int data:bytes = adnl.Message;
20747c0e adnl.pong value:long = adnl.Pong;
---functions---
4d082b9a tcp.ping random_id:long = tcp.Pong;
1faaa1bf adnl.ping value:long = adnl.Pong;
`,
  },
  {
    file: 'consensus',
    about: 'What simplex validators vote on and sign.',
    schema: `
a8e33df8 consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign;
b691cd3f consensus.candidateId slot:int hash:int256 = consensus.CandidateId;
1a4b9af1 consensus.candidateParent id:consensus.CandidateId = consensus.CandidateParent;
22cbcca9 consensus.candidateWithoutParents = consensus.CandidateParent;
e8f9bcdc consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent = consensus.CandidateHashData;
72b4d933 consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData;
cdf605a8 consensus.simplex.notarizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote;
40a7e105 consensus.simplex.finalizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote;
2f6b1f26 consensus.simplex.skipVote slot:int = consensus.simplex.UnsignedVote;
c37ef4f3 consensus.simplex.vote vote:consensus.simplex.UnsignedVote signature:bytes = consensus.simplex.Vote;
a264a978 consensus.simplex.voteSignature who:int signature:bytes = consensus.simplex.VoteSignature;
365ee1f8 consensus.simplex.voteSignatureSet votes:(vector consensus.simplex.VoteSignature) = consensus.simplex.VoteSignatureSet;
be7b573a consensus.simplex.certificate vote:consensus.simplex.UnsignedVote signatures:consensus.simplex.VoteSignatureSet = consensus.simplex.Certificate;
`,
  },
  {
    file: 'validators',
    about: 'Signature sets as nodes keep them, the message of an ordinary signature, validator groups.',
    schema: `
50f03c33 tonNode.blockSignature who:int256 signature:bytes = tonNode.BlockSignature;
acc8ad24 tonNode.signatureSet.ordinary cc_seqno:int validator_set_hash:int signatures:(vector tonNode.blockSignature) = tonNode.SignatureSet;
6a23db02 tonNode.signatureSet.simplex final:Bool cc_seqno:int validator_set_hash:int signatures:(vector tonNode.blockSignature) session_id:int256 slot:int candidate:consensus.CandidateHashData = tonNode.SignatureSet;
c50b6e70 ton.blockId root_cell_hash:int256 file_hash:int256 = ton.BlockId;
2dd44a49 ton.blockIdApprove root_cell_hash:int256 file_hash:int256 = ton.BlockId;
8b9465e4 validator.groupMember public_key_hash:int256 adnl:int256 weight:long = engine.validator.GroupMember;
9843a14d validator.groupNew workchain:int shard:long vertical_seqno:int last_key_block_seqno:int catchain_seqno:int config_hash:int256 members:(vector validator.groupMember) = validator.Group;
`,
  },
  {
    file: 'globalConfig',
    about: 'The global configuration and the liteservers it names.',
    schema: `
867dff6a validator.config.global zero_state:tonNode.blockIdExt init_block:tonNode.blockIdExt hardforks:(vector tonNode.blockIdExt) = validator.config.Global;
88c9550b liteserver.descV2.sliceSimple shards:(vector tonNode.shardId) = liteserver.descV2.Slice;
0229b7a4 liteserver.descV2.shardInfo shard_id:tonNode.shardId seqno:int utime:int lt:long = liteserver.descV2.ShardInfo;
c34f2df2 liteserver.descV2.sliceTimed shards_from:(vector liteserver.descV2.shardInfo) shards_to:(vector liteserver.descV2.shardInfo) = liteserver.descV2.Slice;
ed630375 liteserver.desc id:PublicKey ip:int port:int hostname:string = liteserver.Desc;
fbf56136 liteserver.descV2 id:PublicKey ip:int port:int hostname:string slices:(vector liteserver.descV2.Slice) = liteserver.DescV2;
e8897fad liteclient.config.global liteservers:(vector liteserver.desc) liteservers_v2:(vector liteserver.descV2) validator:validator.config.global = liteclient.config.Global;
bb708efe engine.liteServer id:int256 port:int = engine.LiteServer;
`,
  },
  {
    file: 'liteServer',
    about: 'Answers of a liteserver.',
    schema: `
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
5d404733 liteServer.debug.verbosity value:int = liteServer.debug.Verbosity;
55047fee liteServer.nonfinal.candidateId block_id:tonNode.blockIdExt creator:int256 collated_data_hash:int256 = liteServer.nonfinal.CandidateId;
80c3468c liteServer.nonfinal.candidate id:liteServer.nonfinal.candidateId data:bytes collated_data:bytes = liteServer.nonfinal.Candidate;
4dec01d5 liteServer.nonfinal.candidateInfo id:liteServer.nonfinal.candidateId available:Bool approved_weight:long signed_weight:long total_weight:long = liteServer.nonfinal.CandidateInfo;
f9d68aa7 liteServer.nonfinal.validatorGroupInfo next_block_id:tonNode.blockId cc_seqno:int prev:(vector tonNode.blockIdExt) candidates:(vector liteServer.nonfinal.candidateInfo) = liteServer.nonfinal.ValidatorGroupInfo;
8d0b9dfe liteServer.nonfinal.validatorGroups groups:(vector liteServer.nonfinal.validatorGroupInfo) = liteServer.nonfinal.ValidatorGroups;
1fd06e4d liteServer.nonfinal.pendingShardBlocks signed_blocks:(vector tonNode.blockIdExt) candidates:(vector tonNode.blockIdExt) = liteServer.nonfinal.PendingShardBlocks;
`,
  },
  {
    file: 'liteServerFunctions',
    about: 'Questions to a liteserver. Any of them may be answered with liteServer.error.',
    schema: `
---functions---
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
`,
  },
  {
    file: 'db',
    about: 'Keys and values of the databases of a node.',
    schema: `
e6101440 db.celldb.value block_id:tonNode.blockIdExt prev:int256 next:int256 root_hash:int256 = db.celldb.Value;
4ac6e727 db.block.info#4ac6e727 id:tonNode.blockIdExt flags:# prev_left:flags.1?tonNode.blockIdExt prev_right:flags.2?tonNode.blockIdExt next_left:flags.3?tonNode.blockIdExt next_right:flags.4?tonNode.blockIdExt lt:flags.13?long ts:flags.14?int state:flags.17?int256 masterchain_ref_seqno:flags.23?int = db.block.Info;
7f57d173 db.blockdb.key.value id:tonNode.blockIdExt = db.blockdb.Key;
65d96ada db.candidate source:PublicKey id:tonNode.blockIdExt data:bytes collated_data:bytes = db.Candidate;
37c0b287 db.candidate.id source:PublicKey id:tonNode.blockIdExt collated_data_file_hash:int256 = db.candidate.Id;
7bff274b db.filedb.key.empty = db.filedb.Key;
b0eae471 db.filedb.key.blockFile block_id:tonNode.blockIdExt = db.filedb.Key;
1252863d db.filedb.key.zeroStateFile block_id:tonNode.blockIdExt = db.filedb.Key;
afb6764c db.filedb.key.persistentStateFile block_id:tonNode.blockIdExt masterchain_block_id:tonNode.blockIdExt = db.filedb.Key;
c66ca566 db.filedb.key.splitAccountStateFile block_id:tonNode.blockIdExt masterchain_block_id:tonNode.blockIdExt effective_shard:long = db.filedb.Key;
9bb0335f db.filedb.key.splitPersistentStateFile block_id:tonNode.blockIdExt masterchain_block_id:tonNode.blockIdExt = db.filedb.Key;
da954dec db.filedb.key.proof block_id:tonNode.blockIdExt = db.filedb.Key;
98fbc5ce db.filedb.key.proofLink block_id:tonNode.blockIdExt = db.filedb.Key;
d7290d0b db.filedb.key.signatures block_id:tonNode.blockIdExt = db.filedb.Key;
e28a0ab9 db.filedb.key.candidate id:db.candidate.id = db.filedb.Key;
e64d42be db.filedb.key.candidateRef id:tonNode.blockIdExt = db.filedb.Key;
c499d4fc db.filedb.key.blockInfo block_id:tonNode.blockIdExt = db.filedb.Key;
732c9cf5 db.state.initBlockId block:tonNode.blockIdExt = db.state.InitBlockId;
df30bd4f db.state.gcBlockId block:tonNode.blockIdExt = db.state.GcBlockId;
0b16a69d db.state.shardClient block:tonNode.blockIdExt = db.state.ShardClient;
85f30d04 db.state.hardforks blocks:(vector tonNode.blockIdExt) = db.state.Hardforks;
d93720f7 db.state.dbVersion version:int = db.state.DbVersion;
d32f29a1 db.state.asyncSerializer block:tonNode.blockIdExt last:tonNode.blockIdExt last_ts:int = db.state.AsyncSerializer;
29ae8a1f db.state.key.asyncSerializer = db.state.Key;
758278e3 db.state.key.initBlockId = db.state.Key;
c379f3de db.state.key.gcBlockId = db.state.Key;
c99b3187 db.state.key.shardClient = db.state.Key;
e6f427ba db.state.key.hardforks = db.state.Key;
724f2154 db.state.key.dbVersion = db.state.Key;
a5321ae2 db.lt.el.key workchain:int shard:long idx:int = db.lt.Key;
f1e3e791 db.lt.desc.key workchain:int shard:long = db.lt.Key;
50a6f90f db.lt.shard.key idx:int = db.lt.Key;
776c6057 db.lt.status.key = db.lt.Key;
95e65f64 db.lt.el.value id:tonNode.blockIdExt lt:long ts:int = db.lt.el.Value;
71af51b4 db.lt.desc.value first_idx:int last_idx:int last_seqno:int last_lt:long last_ts:int = db.lt.desc.Value;
3c739a7b db.lt.shard.value workchain:int shard:long = db.lt.shard.Value;
fabeed39 db.lt.status.value total_shards:int = db.lt.status.Value;
7dc40502 db.files.index.key = db.files.Key;
a504033e db.files.package.key package_id:int key:Bool temp:Bool = db.files.Key;
a2b1dafc db.files.index.value packages:(vector int) key_packages:(vector int) temp_packages:(vector int) = db.files.index.Value;
701269e7 db.files.package.firstBlock workchain:int shard:long seqno:int unixtime:int lt:long = db.files.package.FirstBlock;
e44cd52b db.files.package.value package_id:int key:Bool temp:Bool firstblocks:(vector db.files.package.firstBlock) deleted:Bool = db.files.package.Value;
64c8825b db.event.blockApplied block_id:tonNode.blockIdExt = db.Event;
c872c8c2 db.event.blockSigned block_id:tonNode.blockIdExt = db.Event;
71d1aa9f db.event.blockCandidateReceived block_id:tonNode.blockIdExt = db.Event;
`,
  },
]
