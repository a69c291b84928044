"""Output files of FormatEval that are too large for a copy of its small files.

Their git blob ids are known, their sizes and contents are not. With network access

    BIAS_TASKS_DATA=FOLDER python -m benchmarks.studies.large_outputs

fetches them. A file must match its blob id; its sha256 is then recorded next to it and checked from
then on.

By the scripts that wrote them, all six have the columns `topic,question,choices_texts,input_data,
correct_key,correct_text`, then for each wrapping format in the order of table 1 the raw output and
what the script extracted.
"""

from bias_tasks.data.fetch import fetch_source
from bias_tasks.data.sources import PinnedFile, Source

PRINTED = {
    "chatgpt_mcq_mmlu_zs_Wrapping.csv": "table 6, MMLU, ChatGPT, zs; table 18, rows 1 to 3",
    "chatgpt_mcq_mmlu_cot_Wrapping.csv": "table 6, MMLU, ChatGPT, zs_cot",
    "mistral_mcq_mmlu_zs_Wrapping.csv": "table 6, MMLU, Mistral, zs",
    "mistral_mcq_mmlu_cot_Wrapping.csv": "table 6, MMLU, Mistral, zs_cot",
    "chatgpt_replicate_3_mcq_mmlu_zs_Wrapping.csv": "table 18, rows 4 to 6",
    "chatgpt_finetuned_mcq_mmlu_zs_Wrapping.csv": "table 18, rows 13 to 15",
}
"""The printed cells that belong to each file: 21 each."""
_BLOBS = (
    "2b9c7bdc43ae8d8c590ca6ac4806b8720650d7cf",
    "0adfaaf54cbde9a298013bb05c42aa7729084414",
    "59285ab4a0fa24afa145ac5ad6190b72dcdc1b0e",
    "f25c171bf437e42611af448c833ac72c0a047b27",
    "ff9af0fb0142f1bcd4dd21063ba3f611ce6eb7f8",
    "e662f399ce44c1e8f0fe60bae188b200cbd5978c",
)
LARGE_OUTPUTS = Source(
    name="format_large_outputs",
    family="output_format",
    description="answers of ChatGPT and Mistral to MMLU in seven wrapping formats",
    repository="WING-NUS/FormatEval",
    revision="6d5e65edb44bf91cd6e92b3692b7765f3f89727a",
    licence="none stated",
    files=tuple(
        PinnedFile(f"src/output/{name}", git_blob=blob)
        for name, blob in zip(PRINTED, _BLOBS, strict=True)
    ),
)


if __name__ == "__main__":
    for path in fetch_source(LARGE_OUTPUTS)[0]:
        print(path)
