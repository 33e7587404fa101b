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
