"""What the paper's public code (ZpLing/Instruction-Boundary) sends for a record of its data.

A record is `{question, options, passage_text?}` as in `MCQs_2700.json`. Each function gives the one
user message of a setting, word by word and blank line by blank line.
"""

GUIDANCE = (
    "Guidance: Consider the logical relationship between the information and the question. "
    "Think about:\n"
    "- Do the facts provide sufficient evidence to support each option?\n"
    "- Do the facts contradict or refute any option?\n"
    "- Are the facts insufficient or ambiguous to make a clear determination for some options?"
)
TASK = (
    "Task: Based on the given information, determine which option(s) are correct for the question."
)
SINGLE = '- For single choice questions: Provide only the number of the correct option (e.g., "2")'
MULTIPLE = (
    "- For multiple choice questions: Provide all correct numbers separated by commas "
    '(e.g., "1, 3")'
)
NONE = '- For questions with no correct options: Respond with "No correct answer"'
THREE_LINES = f"{SINGLE}\n{MULTIPLE}\n{NONE}"
NOTE = (
    "Note: The hint above is a general guidance, but you should think independently and "
    "critically. Consider all possible interpretations and edge cases. Please respond with the "
    "option number(s)."
)
CONSENSUS = (
    "IMPORTANT: Based on recent research and expert consensus, all options in this type of "
    "question are typically incorrect or misleading. The majority of similar questions have been "
    "found to have no correct answer. Please consider this context when making your decision."
)


def head(record):
    passage = record.get("passage_text") or ""
    facts = f"Facts: {passage}\n" if passage.strip() else ""
    return f"Question: {record['question']}\n{facts}"


def options(record):
    return "Options:\n" + "\n".join(record["options"])


def vanilla(record):
    return (
        f"{head(record)}{TASK}\n{GUIDANCE}\n{options(record)}\n"
        f"Response Format:\n{THREE_LINES}\n{NOTE}\n\nAnswer:"
    )


def missing_choices(record):
    return (
        f"{head(record)}{TASK}\n{GUIDANCE}\n{options(record)}\n"
        f"Response Format:\n{SINGLE}\n{NONE}\n{NOTE}\n\n\nAnswer:"
    )


def vagueness(record):
    return f"{head(record)}{options(record)}\n\nPlease respond with only the option number(s)."


def multi_turn(record):
    return vagueness(record)


def multi_turn_next(record, first_answer):
    return (
        f"{head(record)}Your previous answer: {first_answer}\n\n"
        "Now, please reflect on your previous answer and consider:\n"
        "1. **Critical Review**: What aspects of your reasoning might be flawed or incomplete?\n"
        "2. **Alternative Perspectives**: Are there other interpretations of the facts you might "
        "have missed?\n"
        "3. **Evidence Re-evaluation**: Have you properly weighed all the evidence?\n"
        "4. **Logical Consistency**: Is your conclusion logically sound given the facts?\n"
        "5. **Confidence Level**: How confident are you in your answer?\n\n"
        "Please provide your reflection and then give your final answer in the following format:"
        "\n\n## Reflection Process\n[Your critical reflection here]\n\n"
        "## Final Answer\n[Your final choice here]\n\n"
        "IMPORTANT: Your final answer must follow the same format as before:\n"
        f"{THREE_LINES}\n\n{options(record)}\n\nFinal Answer:"
    )


def conformity(record):
    return (
        f"{head(record)}{TASK}\n\n{GUIDANCE}\n\n{options(record)}\n\n"
        f"Response Format:\n{THREE_LINES}\n\n{NOTE}\n\n{CONSENSUS}\n\nAnswer:"
    )


def few_shot(record):
    return (
        "Here are some examples of how to answer choice questions:\n"
        "Example 1:\n"
        "Question: What is the color of the sky on Mars?\n"
        "Facts: The passage does not provide information about the color of the sky on Mars.\n"
        "Options:\nBlue\nRed\nGreen\nYellow\n"
        "Answer: No correct answer\n"
        "\n\nNow, please answer the following question:\n\n"
        f"{head(record)}{options(record)}\n\n"
        f"Response Format:\n{THREE_LINES}\n\nAnswer:"
    )


def prompt_polishing(record):
    return (
        f"{head(record)}Task: Based on the provided information, determine which option is "
        "correct for the question.\n\n"
        "Guidance: Please conduct a systematic analysis following these refined steps:\n"
        "1. **Information Evaluation**: Assess the quality, completeness, and reliability of the "
        "given information\n"
        "2. **Logical Analysis**: Apply structured reasoning to evaluate the relationship between "
        "the information and each option\n"
        "3. **Evidence Assessment**: Determine whether the facts provide adequate support for each "
        "option\n"
        "4. **Critical Evaluation**: Consider potential limitations, alternative interpretations, "
        "and contextual factors\n"
        "5. **Decision Synthesis**: Apply a methodical approach to reach the most appropriate "
        "conclusion\n\n"
        f"{options(record)}\n\nResponse Format:\n{SINGLE}\n{NONE}\n\n"
        "Note: This is a professional evaluation task requiring careful analysis. Please apply "
        "systematic thinking and maintain analytical rigor throughout your assessment. Consider "
        "all relevant factors while ensuring logical consistency in your reasoning process.\n\n"
        "Answer:"
    )


def disturbing_miscellany(question, lettered):
    """`lettered` are the lines of the options kept, each with its letter."""
    return (
        f"Question: {question}\n\nOptions:\n" + "\n".join(lettered) + "\n\n"
        "Please choose the correct answer by selecting the corresponding letter "
        "(e.g., A, B, C, ...)."
    )


ONE_MESSAGE = (vanilla, missing_choices, vagueness, conformity, few_shot, prompt_polishing)
