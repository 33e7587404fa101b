// Table of constants: comments, jettons, NFTs and what goes with them.
export const tokens = `
bounce#ffffffff payload:Cell
text_comment#00000000 text:SnakeString
text_comment#00000000 text:^SnakeString
encrypted_text_comment#2167da4b cipher_text:Bytes
encrypted_text_comment_forward_payload#2167da4b cipher_text:Bytes
excess#d53276db query_id:uint64
top_up#d372158c query_id:uint64
credit#1690c604 query_id:uint64 amount:Coins
approve#7b4b42e6 query_id:uint64
disapprove#e8a0abfe query_id:uint64

// Jettons
jetton_transfer#0f8a7ea5 query_id:uint64 amount:VarUint16 destination:MsgAddress response_destination:MsgAddress
  custom_payload:MaybeCell forward_ton_amount:VarUint16 forward_payload:EitherCell
jetton_internal_transfer#178d4519 query_id:uint64 amount:VarUint16 from:MsgAddress response_address:MsgAddress
  forward_ton_amount:VarUint16 forward_payload:EitherCell
// Some senders leave out the bit before the payload.
jetton_internal_transfer#178d4519 query_id:uint64 amount:VarUint16 from:MsgAddress response_address:MsgAddress
  forward_ton_amount:VarUint16 forward_payload:Any
jetton_burn#595f07bc query_id:uint64 amount:VarUint16 response_destination:MsgAddress custom_payload:MaybeCell
jetton_burn_notification#7bdd97de query_id:uint64 amount:VarUint16 sender:MsgAddress response_destination:MsgAddress
jetton_notify#7362d09c query_id:uint64 amount:VarUint16 sender:MsgAddress forward_payload:EitherCell
// TEP-89: which wallet an owner has.
provide_wallet_address#2c76b973 query_id:uint64 owner_address:MsgAddress include_address:Bool
take_wallet_address#d1735400 query_id:uint64 wallet_address:MsgAddress owner_address:MaybeCell
jetton_set_status#eed236d3 query_id:uint64 status:uint4
jetton_mint#642b7d07 query_id:uint64 to_address:MsgAddressInt ton_amount:Coins
minter_jetton_mint#00000015 query_id:uint64 to_address:MsgAddress ton_amount:Coins master_msg:^Cell
jetton_change_admin#6501f354 query_id:uint64 new_admin_address:MsgAddress
scaled_ui_display_multiplier_changed#ac392598 numerator:(VarUInteger 32) denominator:(VarUInteger 32)
  comment:(Maybe SnakeString)
lock_and_claim#3a86f1a0 query_id:uint64 proof:MaybeCell

// NFTs and SBTs
nft_transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:MaybeCell
  forward_amount:VarUint16 forward_payload:EitherCell
nft_ownership_assigned#05138d91 query_id:uint64 prev_owner:MsgAddress forward_payload:EitherCell
get_static_data#2fcb26a2 query_id:uint64
report_static_data#8b771735 query_id:uint64 index:uint256 collection:MsgAddress
get_royalty_params#693d3950 query_id:uint64
report_royalty_params#a8cb00ad query_id:uint64 numerator:uint16 denominator:uint16 destination:MsgAddress
prove_ownership#04ded148 query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool
ownership_proof#0524c7ae query_id:uint64 item_id:uint256 owner:MsgAddress data:^Cell revoked_at:uint64 content:MaybeCell
sbt_request_owner#d0c3bfea query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool
sbt_owner_info#0dd607e3 query_id:uint64 item_id:uint256 initiator:MsgAddress owner:MsgAddress data:^Cell
  revoked_at:uint64 content:MaybeCell
sbt_destroy#1f04537a query_id:uint64
sbt_revoke#6f89f5e3 query_id:uint64
sale_update_message#6c6c2080 query_id:uint64 new_full_price:Coins new_mp_fee:Coins new_royalty_amount:Coins
nerd_qr_verify#ccc2c823 item_id:uint32 signature:bits512

// Proof of work givers, invoices, Bitcoin
gram_submit_proof_of_work#4d696e65 flags:uint8 expire:uint32 whom:bits256 rdata1:bits256 rseed:uint128 rdata2:bits256
none#00 = PaymentProviderUrl
tonsite#01 address:bits256 = PaymentProviderUrl
invoice_payload#7aa23eb5 id:bits128 url:PaymentProviderUrl
invoice_payload_forward_payload#7aa23eb5 id:bits128 url:PaymentProviderUrl
tgbtc_mint_event#77a80ef3 amount:Coins recipient_address:MsgAddress bitcoin_txid:uint256
tgbtc_burn_event#ca444ce6 amount:Coins sender_address:MsgAddress pegout_address:MsgAddress
tgbtc_new_key_event#27756729 amount:Coins new_internal_pubkey:uint256 pegout_address:MsgAddress
tgbtc_dkg_completed_event#453443a6 timestamp:uint64 internal_pubkey:uint256
`

// Table of constants: types that messages of many families are made of.
export const core = `
nothing_from_maybe$0 = Maybe X
something_from_maybe$1 value:X = Maybe X
first_from_either$0 value:X = Either X Y
second_from_either$1 value:Y = Either X Y
_ bit:(## 1) = Bit
_ _:Cell = Bytes

extra_currencies dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection
currencies grams:Grams other:ExtraCurrencyCollection = CurrencyCollection

int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
  ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed
ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed
tick_tock tick:Bool tock:Bool = TickTock
_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:MaybeCell data:MaybeCell library:MaybeCell = StateInit
message info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X

action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction
action_set_code#ad4de08e new_code:^Cell = OutAction
action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection = OutAction
action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction
libref_hash$0 lib_hash:bits256 = LibRef
libref_ref$1 library:^Cell = LibRef
`

// Table of constants: DNS, the auctions of its items, and numbers and names on Fragment.
export const names = `
dns_text#1eda _:Text = DNSRecord
dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord
dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) { flags <= 1 } proto_list:flags.0?ProtoList = DNSRecord
dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) { flags <= 1 } cap_list:flags.0?SmcCapList = DNSRecord
dns_storage_address#7473 bag_id:bits256 = DNSRecord
proto_list_nil$0 = ProtoList
proto_list_next$1 item:Protocol next:ProtoList = ProtoList
proto_http#4854 = Protocol
cap_list_nil$0 = SmcCapList
cap_list_next$1 item:SmcCapability next:SmcCapList = SmcCapList
cap_method_seqno#5371 = SmcCapability
cap_method_pubkey#71f4 = SmcCapability
cap_is_wallet#2177 = SmcCapability
cap_name#ff name:Text = SmcCapability

dns_balance_release#4ed14b65 query_id:uint64
change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:^DNSRecord
delete_dns_record#4eb1f0f9 query_id:uint64 key:bits256
process_governance_decision#44beae41 query_id:uint64
auction_fill_up#370fec51 query_id:uint64
outbid_notification#557cea20 query_id:uint64

telemint_text len:(## 8) text:(bits (len * 8)) = TelemintText
telemint_token_info name:TelemintText domain:TelemintText = TelemintTokenInfo
nft_royalty_params numerator:uint16 denominator:uint16 destination:MsgAddress = NftRoyaltyParams
teleitem_auction_config beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8
  min_extend_time:uint32 duration:uint32 = TeleitemAuctionConfig
teleitem_bid_info#38127de1 bid:Grams bid_ts:uint32
teleitem_return_bid#a43227e1 query_id:int64
teleitem_ok#a37a0983 query_id:int64
teleitem_msg_deploy#299a3e15 sender_address:MsgAddressInt bid:Grams token_info:^TelemintTokenInfo nft_content:^Cell
  auction_config:^TeleitemAuctionConfig royalty_params:^NftRoyaltyParams
teleitem_msg_deploy_head#299a3e15 sender_address:MsgAddressInt bid:Grams
teleitem_msg_start_auction#487a8e81 query_id:int64 auction_config:^TeleitemAuctionConfig
teleitem_msg_cancel_auction#371638ae query_id:int64
telemint_unsigned_deploy subwallet_id:uint32 valid_since:uint32 valid_till:uint32 token_name:TelemintText content:^Cell
  auction_config:^TeleitemAuctionConfig royalty_params:(Maybe ^NftRoyaltyParams) = TelemintUnsignedDeploy
telemint_restrictions force_sender_address:(Maybe MsgAddressInt) rewrite_sender_address:(Maybe MsgAddressInt)
  = TelemintRestrictions
telemint_unsigned_deploy_v2 subwallet_id:uint32 valid_since:uint32 valid_till:uint32 token_name:TelemintText
  content:^Cell auction_config:^TeleitemAuctionConfig royalty_params:(Maybe ^NftRoyaltyParams)
  restrictions:(Maybe ^TelemintRestrictions) = TelemintUnsignedDeployV2
telemint_msg_deploy#4637289a sig:bits512 msg:TelemintUnsignedDeploy
telemint_msg_deploy_v2#4637289b sig:bits512 msg:TelemintUnsignedDeployV2
`
