// Table of constants: payment channels, storage providers and Cocoon.
export const services = `
// Payment channels
cp amount:Coins condition:Cell = ConditionalPayment
sc_body seqno:uint64 sent:Coins conditionals:(HashmapE 32 ConditionalPayment) = SemiChannelBody
semichannel_state#43685374 channel_id:uint128 data:SemiChannelBody counterparty_data:(Maybe ^SemiChannelBody)
  = SemiChannel
signed_schs signature:bits512 state:SemiChannel = SignedSemiChannel
top_up_channel_balance#67c7d281 add_A:Coins add_B:Coins
init_payment_channel#0e0620c2 is_A:Bool signature:bits512 tag:# channel_id:uint128 balance_A:Coins balance_B:Coins
channel_cooperative_close#5577587e sig_A:^bits512 sig_B:^bits512 tag:# channel_id:uint128 balance_A:Coins
  balance_B:Coins seqno_A:uint64 seqno_B:uint64
channel_cooperative_commit#79a126ef sig_A:^bits512 sig_B:^bits512 tag:# channel_id:uint128 seqno_A:uint64
  seqno_B:uint64
start_uncooperative_channel_close#1f151acf signed_by_A:Bool signature:bits512 tag:# channel_id:uint128
  sch_A:^SignedSemiChannel sch_B:^SignedSemiChannel
challenge_quarantined_channel_state#088eaa32 challenged_by_A:Bool signature:bits512 tag:# channel_id:uint128
  sch_A:^SignedSemiChannel sch_B:^SignedSemiChannel
settle_channel_conditionals#66f6f069 from_A:Bool signature:bits512 tag:# channel_id:uint128
  conditionals_to_settle:(HashmapE 32 Cell)
finish_uncooperative_channel_close#25432a91 rest:Any
channel_closed#dddc88ba channel_id:uint128

// Storage
torrent_info piece_size:uint32 file_size:uint64 root_hash:(## 256) header_size:uint64 header_hash:(## 256)
  microchunk_hash:(Maybe (## 256)) description:Cell = TorrentInfo
deploy_storage_contract#e4748df1 query_id:uint64 info:^TorrentInfo merkle_hash:bits256 expected_rate:Coins
  expected_max_span:uint32
update_pubkey#53f34cd6 query_id:uint64 new_pubkey:bits256
update_storage_params#54cbf19b query_id:uint64 accept_new_contracts:Bool rate_per_mb_day:Coins max_span:uint32
  minimal_file_size:uint64 maximal_file_size:uint64
offer_storage_contract#107c49ef query_id:uint64
accept_storage_contract#7a361688 query_id:uint64
storage_contract_confirmed#d4caedcd cur_lt:uint64 torrent_hash:bits256
close_storage_contract#79f937ea query_id:uint64
storage_contract_terminated#b6236d63 cur_lt:uint64 torrent_hash:bits256
storage_withdraw#46ed2e94 query_id:uint64
storage_reward_withdrawal#a91baf56 query_id:uint64
proof_storage#419d5d4d query_id:uint64 file_dict_proof:^Cell

// Cocoon
cocoon_return_excesses_back#2565934c query_id:uint64
cocoon_payout#c59a7cd3 query_id:uint64
cocoon_worker_proxy_request#4d725d2c query_id:uint64 owner_address:MsgAddress state:uint2 tokens:uint64
  payload:MaybeCell
cocoon_worker_proxy_payout_request#08e7d036 worker_part:Coins proxy_part:Coins send_excesses_to:MsgAddress
cocoon_client_proxy_request#65448ff4 query_id:uint64 owner_address:MsgAddress state_data:^Cell payload:MaybeCell
cocoon_client_proxy_top_up#5cfc6b87 top_up_coins:Coins send_excesses_to:MsgAddress
cocoon_client_proxy_register#a35cb580
cocoon_client_proxy_refund_granted#c68ebc7b coins:Coins send_excesses_to:MsgAddress
cocoon_client_proxy_refund_force#f4c354c9 coins:Coins send_excesses_to:MsgAddress
cocoon_payout_payload#a040ad28 query_id:uint64 new_tokens:uint64 expected_my_address:MsgAddress
cocoon_last_payout_payload#f5f26a36 query_id:uint64 new_tokens:uint64 expected_my_address:MsgAddress
cocoon_add_worker_type#e34b1c60 query_id:uint64 worker_hash:uint256
cocoon_del_worker_type#8d94a79a query_id:uint64 worker_hash:uint256
cocoon_add_model_type#c146134d query_id:uint64 model_hash:uint256
cocoon_del_model_type#92b11c18 query_id:uint64 model_hash:uint256
cocoon_add_proxy_type#71860e80 query_id:uint64 proxy_hash:uint256
cocoon_del_proxy_type#3c41d0b2 query_id:uint64 proxy_hash:uint256
cocoon_register_proxy#927c7cb5 query_id:uint64 proxy_info:Cell
cocoon_unregister_proxy#6d49eaf2 query_id:uint64 seqno:uint32
cocoon_update_proxy#9c7924ba query_id:uint64 seqno:uint32 proxy_addr:Cell
cocoon_change_fees#c52ed8d4 query_id:uint64 price_per_token:Coins worker_fee_per_token:Coins
cocoon_change_params#022fa189 query_id:uint64 price_per_token:Coins worker_fee_per_token:Coins
  proxy_delay_before_close:uint32 client_delay_before_close:uint32 min_proxy_stake:Coins min_client_stake:Coins
cocoon_upgrade_contracts#a2370f61 query_id:uint64 proxy_code:^Cell worker_code:^Cell client_code:^Cell
cocoon_upgrade_code#11aefd51 query_id:uint64 new_code:^Cell
cocoon_reset_root#563c1d96 query_id:uint64
cocoon_upgrade_full#4f7c5789 query_id:uint64 new_data:^Cell new_code:^Cell
cocoon_change_owner#c4a1ae54 query_id:uint64 new_owner_address:MsgAddress
cocoon_owner_worker_register#26ed7f65 query_id:uint64 send_excesses_to:MsgAddress
cocoon_ext_proxy_payout_request#7610e6eb query_id:uint64 send_excesses_to:MsgAddress
cocoon_ext_proxy_increase_stake#9713f187 query_id:uint64 grams:Coins send_excesses_to:MsgAddress
cocoon_owner_proxy_close#b51d5a01 query_id:uint64 send_excesses_to:MsgAddress
cocoon_close_request_payload#636a4391 query_id:uint64 expected_my_address:MsgAddress
cocoon_close_complete_request_payload#e511abc7 query_id:uint64 expected_my_address:MsgAddress
cocoon_ext_client_top_up#f172e6c2 query_id:uint64 top_up_amount:Coins send_excesses_to:MsgAddress
cocoon_owner_client_change_secret_hash_and_top_up#8473b408 query_id:uint64 top_up_amount:Coins
  new_secret_hash:uint256 send_excesses_to:MsgAddress
cocoon_owner_client_register#c45f9f3b query_id:uint64 nonce:uint64 send_excesses_to:MsgAddress
cocoon_owner_client_change_secret_hash#a9357034 query_id:uint64 new_secret_hash:uint256 send_excesses_to:MsgAddress
cocoon_owner_client_increase_stake#6a1f6a60 query_id:uint64 new_stake:Coins send_excesses_to:MsgAddress
cocoon_owner_client_withdraw#da068e78 query_id:uint64 send_excesses_to:MsgAddress
cocoon_owner_client_request_refund#fafa6cc1 query_id:uint64 send_excesses_to:MsgAddress
cocoon_charge_payload#bb63ff93 query_id:uint64 new_tokens_used:uint64 expected_my_address:MsgAddress
cocoon_grant_refund_payload#efd711e1 query_id:uint64 new_tokens_used:uint64 expected_my_address:MsgAddress
`
