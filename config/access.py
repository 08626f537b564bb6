"""What each operation of the API asks for: the scope of a token, by the operation's name.

The OpenAPI description says it from here; the views enforce it, and the tests hold both together
(tests/config/test_access.py). A new operation needs a row here and one in tests/config/access.txt.
"""

from __future__ import annotations

from typing import Final

ANYBODY: Final = ""
READ, PLAY, ORGANISE, BOT = "read", "play", "organise", "bot"

_ROWS: Final = {
    ANYBODY: """
        check_rules check_settings create_player export_competition export_finished_games get_bot
        get_bot_check get_bot_figures get_bot_sparring get_calendar get_club get_competition
        get_competition_events get_dashboard get_game get_league_rules get_ledger get_proof
        get_record get_rounds get_rules_card get_standings get_table get_tallies list_bot_checks
        list_bot_sparring list_bot_versions list_bots list_clubs list_competitions list_entries
        list_events list_finished_games list_members list_open_games list_phrases list_presets
        list_schedules recover_link verify_game
    """,
    READ: """
        create_stream_ticket get_me get_my_settings list_legal_actions list_my_games
        list_my_holidays list_my_tokens get_my_mail
    """,
    PLAY: """
        ask_for_rematch be_ready change_my_settings check_in claim_guest confirm_sheet
        create_game create_my_token drop_entry end_holiday enter_competition enter_result
        invite_player join_game leave_game make_move play_quick_game resign_game
        change_my_mail revoke_my_token rotate_my_token say_phrase take_holiday withdraw_entry
    """,
    ORGANISE: """
        add_member anonymise_guest change_member end_link list_links list_places make_claim_code
        make_link make_places merge_guest remove_member undo_merge
        correct_deal correct_result create_club create_competition create_schedule create_webhook
        delete_webhook get_webhook import_competition list_acts list_deliveries list_webhooks
        open_round pause_competition preview_correction preview_deal_correction replay_webhook
        resend_delivery resume_competition
        start_competition test_webhook undo_correction void_competition
        disable_schedule enable_schedule erase_note give_chips list_notes revoke_chips
        substitute_entry void_result void_table wipe_rehearsal
        change_club check_sheet enter_sheet import_names open_next_season
    """,
    BOT: """
        change_bot check_bot get_bot_fault get_bot_fault_test list_bot_faults list_bot_messages
        list_bot_notices list_bot_secrets list_bot_tokens pause_bot register_bot reply_as_bot
        resume_bot retire_bot revoke_bot_secret revoke_bot_token rotate_bot_secret rotate_bot_token
        spar stream_bot_messages
    """,
}
SCOPES: Final = {name: scope for scope, names in _ROWS.items() for name in names.split()}


def security(operation_id: str) -> list[dict[str, list[str]]]:
    """The `security` of an operation: a token with its scope or a session, or nothing at all."""
    scope = SCOPES.get(operation_id, ANYBODY)
    if scope == ANYBODY:
        return [{}, {"token": []}, {"session": []}]
    return [{"token": [scope]}, {"session": []}]
